import type { EventKind } from '#locales/operator/events.ts';
import { isDeepStrictEqual } from 'node:util';
import { parseSubtenantId } from '#domain/people/subtenants.ts';
import { parseOpeningHours } from '#domain/text/opening-hours.ts';
import { fill } from '#locales/fill.ts';
import { isLanguage, isTranslated, OFFERED } from '#locales/languages.ts';
import { tenantCommand as texts } from '#locales/operator/tenant-command.ts';
import { sql } from 'kysely';
import { OperatorError } from '../config/operator-error.ts';
import type { Db } from '../db/database.ts';
import { faultOfName, takenName } from './house-names.ts';
import { checkLogo, loadConfiguredLogos } from './logos.ts';
import {
  insertSubtenant,
  listSubtenants,
  type SubtenantChange,
  type SubtenantRow,
} from './subtenant-store.ts';
import type { AdminContext } from '../core/context.ts';
import { inTransaction } from '../db/in-transaction.ts';

type Context = Pick<AdminContext, 'db' | 'config' | 'audit'>;

/** `evenSo`: the operator insists on a name that looks like another's. */
type Insisting = { readonly evenSo?: boolean | undefined };

/** @throws OperatorError for the name of the product or of another open subtenant, or one that looks like it */
export async function requireOwnName(db: Db, row: Pick<SubtenantRow, 'id' | 'name'>) {
  // Two that take one name at the same moment wait for each other.
  await sql`lock table subtenants in share row exclusive mode`.execute(db);
  const taken = takenName(row, await listSubtenants(db));
  if (taken !== null) throw new OperatorError(fill(texts.nameTaken, { name: taken }));
}

export const DEFAULT_LOGO = '/logos/porchlight.svg';
const LONGEST_HOURS = 60;

/**
 * Adds a subtenant.
 * @returns `already` when it exists with these values
 * @throws OperatorError when it exists with others, or the logo is missing
 */
export async function addSubtenant(
  context: Context,
  id: number,
  given: SubtenantChange & { readonly name: string },
  { evenSo }: Insisting = {},
): Promise<'added' | 'already'> {
  const row = { logo_path: DEFAULT_LOGO, accent: null, ...given, id };
  await requireLogo(context, row.logo_path);
  return inTransaction(context.db, async (db) => {
    const there = (await listSubtenants(db)).find((each) => each.id === id);
    if (there) {
      const isSame = isDeepStrictEqual({ ...there, ...row }, there);
      if (!isSame) throw new OperatorError(fill(texts.taken, { id }));
      return 'already';
    }
    if (!evenSo) await requireOwnName(db, row);
    await insertSubtenant(db, row);
    await context.audit({ kind: 'subtenant.added', details: { subtenantId: id, ...row } }, db);
    return 'added';
  });
}

/** Changes the given values of a subtenant. @throws OperatorError when there is none, or the logo is missing */
export async function changeSubtenant(
  context: Context,
  id: number,
  change: SubtenantChange,
  insisting?: Insisting,
): Promise<void> {
  if (change.logo_path !== undefined) await requireLogo(context, change.logo_path);
  await update(context, 'subtenant.changed', id, change, insisting);
}

/** Opens or closes a subtenant. @throws OperatorError when there is none */
export async function openSubtenant(
  context: Context,
  id: number,
  isOpen: boolean,
  insisting?: Insisting,
): Promise<void> {
  const kind = isOpen ? 'subtenant.opened' : 'subtenant.closed';
  await update(context, kind, id, { is_active: isOpen }, insisting);
}

async function update(
  { db, audit }: Context,
  kind: EventKind,
  id: number,
  change: SubtenantChange,
  { evenSo }: Insisting = {},
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const row = (await listSubtenants(transaction)).find((each) => each.id === id);
    const isNamed = change.name !== undefined && change.name !== row?.name;
    const isOpened = change.is_active === true && row?.is_active === false;
    if (row && (isNamed || isOpened) && !evenSo) {
      await requireOwnName(transaction, { ...row, ...change });
    }
    const changed = await transaction
      .updateTable('subtenants')
      .set(change)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!changed) throw new OperatorError(fill(texts.unknown, { id }));
    await audit({ kind, details: { subtenantId: id, ...change } }, transaction);
  });
}

/** Returns every logo that a subtenant may have: of the product, of the operator's folder, and stored ones. */
export async function logoPaths({
  db,
  config,
}: Omit<Context, 'audit'>): Promise<readonly string[]> {
  const stored = await db.selectFrom('logos').select('file').orderBy('added_at').execute();
  return [...loadConfiguredLogos(config).paths(), ...stored.map(({ file }) => `/logos/${file}`)];
}

/** A logo that is not there would be a broken picture on every page. @throws OperatorError */
async function requireLogo(context: Context, path: string): Promise<void> {
  const paths = await logoPaths(context);
  if (paths.includes(path)) return;
  throw new OperatorError(fill(texts.noLogo, { logo: path, paths: paths.join(', ') }));
}

/** Stores a picture and makes it the logo of a subtenant. @throws OperatorError when it fails a check */
export async function uploadLogo(
  context: Context & Pick<AdminContext, 'clock'>,
  id: number,
  { name, bytes }: { readonly name: string; readonly bytes: Buffer },
): Promise<void> {
  const file = checkLogo(id, name, bytes);
  await inTransaction(context.db, async (db) => {
    // The same file again is the same row.
    await db
      .insertInto('logos')
      .values({ file, content: bytes.toString('base64'), added_at: context.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await update({ ...context, db }, 'subtenant.changed', id, { logo_path: `/logos/${file}` });
  });
}

/** @throws OperatorError for text that is no line, and unless the operator insists for one that may mislead */
export function subtenantNameIn(text: string, { evenSo }: Insisting = {}): string {
  const name = text.trim();
  if (!/^[^\p{C}\p{Zl}\p{Zp}]{1,80}$/u.test(name)) throw new OperatorError(texts.badName);
  const fault = evenSo ? null : faultOfName(name);
  if (fault !== null) throw new OperatorError(texts.nameFaults[fault]);
  return name;
}

/** @throws OperatorError for text that is neither a color nor `none` */
export function accentIn(text: string): string | null {
  if (text === 'none') return null;
  if (!/^#[\da-f]{6}$/i.test(text)) throw new OperatorError(texts.badAccent);
  return text.toUpperCase();
}

/** @throws OperatorError for text that is neither an offered language nor `none` */
export function subtenantLanguageIn(text: string): SubtenantRow['language'] {
  if (text === 'none') return null;
  if (isLanguage(text) && isTranslated(text)) return text;
  throw new OperatorError(fill(texts.badLanguage, { languages: OFFERED.join(', ') }));
}

/** @throws OperatorError for text that is neither hours nor `none`: its form has no room for a link or a number to call */
export function helpHoursIn(text: string): string | null {
  if (text === 'none') return null;
  // Some keyboards type a longer dash.
  const line = text.replaceAll(/\s+/g, ' ').replaceAll(/\p{Pd}/gu, '-');
  if (line.length > LONGEST_HOURS || !parseOpeningHours(line))
    throw new OperatorError(texts.badHours);
  return line;
}

/** @throws OperatorError */
export function subtenantIdIn(word: string): number {
  const id = parseSubtenantId(word);
  if (id === null) throw new OperatorError(texts.badId);
  return id;
}
