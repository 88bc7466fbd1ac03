/** The file of the modules: read as a server reads it, written as it was written. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { MODULE_IDS, type ModuleId } from '#domain/people/roles.ts';
import { moduleCommand as texts } from '#locales/operator/module-command.ts';
import { fill } from '#locales/fill.ts';
import { CONFIG_FILE, readConfigFile } from '#server/config/config-file.ts';
import type { Document } from '#server/config/document.ts';
import { moduleSchema, readModules } from '#server/config/modules-file.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { type Fault, faultText, readValue } from '#server/config/setting.ts';
import type { Installation } from './command.ts';
import { writePrivately } from './private-file.ts';

const MODULES = 'PORCHLIGHT_MODULES_FILE';

/** A module as its entry in the file spells it. */
export type Entry = {
  readonly id: ModuleId;
  readonly rootUrl: string;
  readonly loginUrl: string;
  readonly secretHash: string | null;
  readonly signOutUrl?: string | null;
};

type File = {
  readonly document: Document;
  /** `null`: they stand in the configuration file itself. */
  readonly path: string | null;
  readonly isDemo: boolean;
};

export const isModuleId = (word: string): word is ModuleId =>
  (MODULE_IDS as readonly string[]).includes(word);

/** @throws OperatorError that lists the modules */
export function moduleIdIn(word: string): ModuleId {
  if (isModuleId(word)) return word;
  throw new OperatorError(fill(texts.badId, { word, ids: MODULE_IDS.join(', ') }));
}

/** Returns the modules of the settings. @throws OperatorError with every fault of the file */
export function readModulesOf(
  at: Installation,
): Pick<ReturnType<typeof readModules>, 'modules' | 'missing'> {
  const file = fileOf(at);
  if (!file) throw new OperatorError(texts.noFile);
  const { faults, ...found } = readModules(file.document, file);
  if (faults.length > 0) {
    throw faulty(fill(texts.fileFaults, { file: file.path ?? CONFIG_FILE }), faults);
  }
  return found;
}

/** Returns the file that can be written, with its modules; `null` where they stand elsewhere or nowhere. */
export function openModulesFile(at: Installation): {
  readonly path: string;
  readonly modules: readonly Entry[];
} | null {
  const path = fileOf(at)?.path;
  if (!path) return null;
  return { path, modules: existsSync(path) ? readModulesOf(at).modules : [] };
}

/** @throws OperatorError with every fault of the entry */
export function checkEntry(at: Installation, entry: Entry): void {
  const isDemo = fileOf(at)?.isDemo ?? true;
  const { faults } = readValue(moduleSchema({ isDemo }), entry);
  if (faults.length > 0) throw faulty(texts.faults, faults);
}

/**
 * Writes the named members of one entry, or takes the entry out (`null`). Everything else stays as it was written: an
 * earlier release reads the file, too (decision 233).
 */
export function writeEntry(path: string, id: ModuleId, change: Partial<Entry> | null): void {
  const written = existsSync(path)
    ? z.array(z.looseObject({})).parse(JSON.parse(readFileSync(path, 'utf8')))
    : [];
  const at = written.findIndex((each) => each.id === id);
  const own = change === null ? [] : [{ ...written[at], ...change }];
  const next = at === -1 ? [...written, ...own] : written.toSpliced(at, 1, ...own);
  const text = `${JSON.stringify(next, null, 2)}\n`;
  if (existsSync(path)) writeFileSync(path, text);
  else writePrivately(path, text);
}

function fileOf({ env }: Installation): File | null {
  const stated = env();
  const file = readConfigFile(stated[CONFIG_FILE]);
  const given: NodeJS.ProcessEnv = { ...file?.given, ...stated };
  const isDemo = given.PORCHLIGHT_MODE !== 'production';
  if (!stated[MODULES] && file?.inline.has(MODULES)) {
    return { document: { value: file.inline.get(MODULES) }, path: null, isDemo };
  }
  const path = given[MODULES];
  return path ? { document: path, path, isDemo } : null;
}

const faulty = (head: string, faults: readonly Fault[]) =>
  new OperatorError([head, ...faults.map((fault) => `  - ${faultText(fault)}`)].join('\n'));
