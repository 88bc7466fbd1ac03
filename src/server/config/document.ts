import { readFileSync } from 'node:fs';
import { fileFault } from './fault-words.ts';
import type { Fault } from './setting.ts';

/** JSON in a file of its own, or a value that was read already. */
export type Document = string | { readonly value: unknown };

/** What a document says; an unreadable one is a fault like any other. */
export function readDocument(
  document: Document,
): { readonly value: unknown } | { readonly fault: Fault } {
  if (typeof document !== 'string') return document;
  try {
    return { value: JSON.parse(readFileSync(document, 'utf8')) };
  } catch (error) {
    return { fault: { at: [], says: `${document}: ${fileFault(error)}` } };
  }
}
