/** The files that `porchlight client` and `porchlight organisation` read. */

import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { fill } from '#locales/fill.ts';
import { fileFault } from '#server/config/fault-words.ts';
import { OperatorError } from '#server/config/operator-error.ts';

type Texts = { readonly unreadable: string; readonly notOne: string };

/** @throws OperatorError */
export function readText(file: string, { unreadable }: Pick<Texts, 'unreadable'>): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(fill(unreadable, { file, reason: fileFault(error) }));
  }
}

/** Reads a file with one JSON object. @throws OperatorError */
export function readEntry(file: string, texts: Texts): Readonly<Record<string, unknown>> {
  const text = readText(file, texts);
  try {
    return z.looseObject({}).parse(JSON.parse(text));
  } catch {
    throw new OperatorError(fill(texts.notOne, { file }));
  }
}
