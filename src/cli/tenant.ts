import { isDeepStrictEqual } from 'node:util';
import { parseSubtenantId } from '#domain/subtenants.ts';
import { fill } from '#locales/fill.ts';
import { isLanguage, isTranslated, OFFERED } from '#locales/languages.ts';
import { tenantCommand as texts } from '#locales/operator/tenant-command.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { loadConfiguredLogos } from '#server/subtenants/logos.ts';
import {
  insertSubtenant,
  listSubtenants,
  type SubtenantChange,
  type SubtenantRow,
  updateSubtenant,
} from '#server/subtenants/subtenant-store.ts';
import {
  type CommandContext,
  type CommandOf,
  output,
  type Output,
  type Run,
  table,
} from './command.ts';
import { checkSubtenants } from './doctor/doctor.ts';
import { wrongUsage } from './program.ts';

export const DEFAULT_LOGO = '/logos/porchlight.svg';

/** `porchlight subtenant`: the organizations that people sign up with (GEN-03). */
export const tenant: CommandOf<'subtenant'> = {
  list: () => (at) => at.withDatabase(async ({ db }) => list(await listSubtenants(db))),

  check: () => (at) => at.withDatabase(({ db, config }) => checkSubtenants(db, config)),

  add([word = '', typed = ''], words) {
    const id = idIn(word);
    const name = parseName(typed);
    return changing(id, async (context) => {
      const row = { logo_path: DEFAULT_LOGO, accent: null, ...changeIn(words), id, name };
      requireLogo(context, row.logo_path);
      const there = (await listSubtenants(context.db)).find((each) => each.id === id);
      if (there) {
        const isSame = isDeepStrictEqual({ ...there, ...row }, there);
        if (!isSame) throw new OperatorError(fill(texts.taken, { id }));
        return fill(texts.addedAlready, { id, name });
      }
      await insertSubtenant(context.db, row);
      await record(context, 'subtenant.added', id, row);
      return fill(texts.added, { id, name });
    });
  },

  set([word = ''], words) {
    const change = changeIn(words);
    if (Object.keys(change).length === 0) throw wrongUsage('subtenant', 'set', texts.nothing);
    return updating(idIn(word), 'subtenant.changed', change, texts.changed);
  },

  close: ([word = '']) =>
    updating(idIn(word), 'subtenant.closed', { is_active: false }, texts.isClosed),

  open: ([word = '']) =>
    updating(idIn(word), 'subtenant.opened', { is_active: true }, texts.isOpen),
};

/** Returns the subtenant's values from the options. @throws OperatorError */
function changeIn({
  name,
  logo,
  accent,
  language,
}: {
  readonly name?: string;
  readonly logo?: string;
  readonly accent?: string;
  readonly language?: string;
}): SubtenantChange {
  return {
    ...(name !== undefined && { name: parseName(name) }),
    ...(logo !== undefined && { logo_path: logo }),
    ...(accent !== undefined && { accent: parseAccent(accent) }),
    ...(language !== undefined && { language: parseLanguage(language) }),
  };
}

const changing =
  (id: number, work: (context: CommandContext) => Promise<string>): Run =>
  (at) =>
    at.withDatabase((context) =>
      context.db
        .transaction()
        .execute(async (db) => output([await work({ ...context, db })], { id })),
    );

const updating = (id: number, kind: string, change: SubtenantChange, said: string): Run =>
  changing(id, async (context) => {
    if (change.logo_path !== undefined) requireLogo(context, change.logo_path);
    if (!(await updateSubtenant(context.db, id, change))) {
      throw new OperatorError(fill(texts.unknown, { id }));
    }
    await record(context, kind, id, change);
    return fill(said, { id });
  });

const record = ({ audit, db }: CommandContext, kind: string, id: number, change: SubtenantChange) =>
  audit({ kind, details: { subtenantId: id, ...change } }, db);

function list(rows: readonly SubtenantRow[]): Output {
  const data = rows.map(({ id, name, logo_path: logoPath, accent, is_active: isOpen }) => ({
    id,
    name,
    logoPath,
    accent,
    isOpen,
  }));
  if (rows.length === 0) return output([texts.none], data);
  const cells = data.map(({ id, name, logoPath, accent, isOpen }) => [
    id,
    name,
    logoPath,
    accent ?? texts.noAccent,
    isOpen ? texts.open : texts.closed,
  ]);
  return output(table(texts.header, cells), data);
}

/** A logo that is not there would be a broken picture on every page. @throws OperatorError */
function requireLogo({ config }: CommandContext, path: string): void {
  const paths = loadConfiguredLogos(config).paths();
  if (paths.includes(path)) return;
  throw new OperatorError(fill(texts.noLogo, { logo: path, paths: paths.join(', ') }));
}

/** @throws OperatorError for text that is no line */
export function parseName(text: string): string {
  const name = text.trim();
  if (!/^[^\p{C}\p{Zl}\p{Zp}]{1,80}$/u.test(name)) throw new OperatorError(texts.badName);
  return name;
}

function parseAccent(text: string): string | null {
  if (text === 'none') return null;
  if (!/^#[\da-f]{6}$/i.test(text)) throw new OperatorError(texts.badAccent);
  return text.toUpperCase();
}

function parseLanguage(text: string): string | null {
  if (text === 'none') return null;
  if (isLanguage(text) && isTranslated(text)) return text;
  throw new OperatorError(fill(texts.badLanguage, { languages: OFFERED.join(', ') }));
}

function idIn(word: string): number {
  const id = parseSubtenantId(word);
  if (id === null) throw new OperatorError(texts.badId);
  return id;
}
