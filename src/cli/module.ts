/** `porchlight module`: lists, adds and checks the modules of the settings. */

import type { ModuleId } from '#domain/people/roles.ts';
import { moduleCommand as texts } from '#locales/operator/module-command.ts';
import { fill } from '#locales/fill.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { hashToken, randomToken } from '#server/crypto/secret-box.ts';
import { type CommandOf, type Installation, type Output, output, table } from './command.ts';
import { moduleCheck } from './module-check.ts';
import {
  checkEntry,
  type Entry,
  moduleIdIn,
  openModulesFile,
  readModulesOf,
  writeEntry,
} from './module-file.ts';
import { wrongUsage } from './program.ts';

export const module: CommandOf<'module'> = {
  list: () => async (at) => list(at),

  add([word = '', rootUrl = ''], { login, 'sign-out-url': signOutUrl = null }) {
    const id = moduleIdIn(word);
    const loginUrl = login ?? derivedLogin(rootUrl);
    return async (at) =>
      add(at, { id, rootUrl, loginUrl, ...(signOutUrl !== null && { signOutUrl }) });
  },

  set([word = ''], { url, login, 'sign-out-url': signOutUrl }) {
    const id = moduleIdIn(word);
    const change = {
      ...(url !== undefined && { rootUrl: url }),
      ...(login !== undefined && { loginUrl: login }),
      ...(signOutUrl !== undefined && { signOutUrl: signOutUrl === 'none' ? null : signOutUrl }),
    };
    if (Object.keys(change).length === 0) throw wrongUsage('module', 'set', texts.nothing);
    return async (at) => {
      const { path, entry } = entryOf(at, id);
      // A login page that was derived from the address moves along.
      const isDerived = entry.loginUrl === derivedLogin(entry.rootUrl);
      const moved =
        url !== undefined && isDerived ? { loginUrl: derivedLogin(url), ...change } : change;
      const { rootUrl, loginUrl } = { ...entry, ...moved };
      const said = fill(texts.moved, { id, file: path, rootUrl, loginUrl });
      return written(at, path, entry, moved, said);
    };
  },

  'rotate-secret'([word = '']) {
    const id = moduleIdIn(word);
    return async (at) => {
      const { path, entry } = entryOf(at, id);
      const secret = randomToken();
      const said = fill(texts.changed, { id, file: path });
      return written(at, path, entry, { secretHash: hashToken(secret) }, said, secret);
    };
  },

  remove([word = '']) {
    const id = moduleIdIn(word);
    return async (at) => {
      const file = openModulesFile(at);
      if (!file) throw new OperatorError(texts.notWritable);
      // A removal that was done before is no fault.
      const isThere = file.modules.some((each) => each.id === id);
      if (!isThere) return output([fill(texts.removedAlready, { id })], { id });
      writeEntry(file.path, id, null);
      return output([fill(texts.removed, { id, file: file.path })], { id });
    };
  },

  check: moduleCheck,
};

/** Returns the login page of a module that names none: `login` below its address. */
const derivedLogin = (rootUrl: string) =>
  URL.canParse('login', rootUrl) ? new URL('login', rootUrl).href : '';

function list(at: Installation): Output {
  const { modules, missing } = readModulesOf(at);
  const rows = modules.map(({ id, rootUrl, signOutUrl, sealedTo }) => [
    id,
    rootUrl,
    signOutUrl ?? texts.notTold,
    sealedTo === null ? '' : texts.sealed,
  ]);
  const end = missing.length > 0 ? [fill(texts.missing, { ids: missing.join(', ') })] : [];
  const data = modules.map((each) => ({ ...each, secretHash: undefined }));
  return output([...table(texts.header, rows), ...end], data);
}

/** Adds a module to the file that the settings name, or prints its entry. */
function add(at: Installation, given: Omit<Entry, 'secretHash'>): Output {
  const { id } = given;
  const secret = randomToken();
  const entry = { ...given, secretHash: hashToken(secret) };
  checkEntry(at, entry);
  const file = openModulesFile(at);
  if (!file) {
    const told = fill(texts.secret, { secret });
    return output([texts.print, JSON.stringify([entry], null, 2), told], { entry, secret });
  }
  const there = file.modules.find((each) => each.id === id);
  if (!there) {
    return written(at, file.path, entry, entry, fill(texts.added, { id, file: file.path }), secret);
  }
  const isSame = (['rootUrl', 'loginUrl', 'signOutUrl'] as const).every(
    (name) => (there[name] ?? null) === (given[name] ?? null),
  );
  if (!isSame) throw new OperatorError(fill(texts.taken, { id }));
  return output([fill(texts.addedAlready, { id })], { entry: there });
}

/** @throws OperatorError when there is none, or none that can be written */
function entryOf(at: Installation, id: ModuleId): { readonly path: string; readonly entry: Entry } {
  const file = openModulesFile(at);
  if (!file) throw new OperatorError(texts.notWritable);
  const entry = file.modules.find((each) => each.id === id);
  if (!entry) throw new OperatorError(fill(texts.unknown, { id }));
  return { path: file.path, entry };
}

function written(
  at: Installation,
  path: string,
  before: Entry,
  change: Partial<Entry>,
  said: string,
  secret?: string,
): Output {
  const entry = { ...before, ...change };
  checkEntry(at, entry);
  writeEntry(path, entry.id, change);
  if (secret === undefined) return output([said], { entry });
  return output([said, fill(texts.secret, { secret })], { entry, secret });
}
