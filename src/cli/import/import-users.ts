import { hash as digest } from 'node:crypto';
import type { Insertable } from 'kysely';
import { canonicalEmail } from '#domain/typed/validation.ts';
import { insertAccounts } from '#server/accounts/account-store.ts';
import type { Db } from '#server/db/database.ts';
import type { Tables } from '#server/db/schema.ts';
import { listSubtenants } from '#server/subtenants/subtenant-store.ts';
import { spellingsOf } from '#server/accounts/addresses.ts';
import type { CommandContext } from '../command.ts';
import type { FileRecord } from './records.ts';
import { isObject } from './sources.ts';
import {
  check,
  type Fault,
  rowFault,
  type ImportOptions,
  type Ready,
  type RowFault,
} from './check-row.ts';

type Line = RowFault & { readonly line: number };

const noCounts = () => ({
  rows: 0,
  added: 0,
  /** Came by an earlier run. */
  present: 0,
  failed: 0,
  /** Of those that were added. */
  weak: 0,
  withoutPassword: 0,
  /** Taken without a wrong number or a refused hash. */
  leftOut: 0,
  /** People of a number that an earlier line has. */
  sameNumber: 0,
});

export type Result = {
  readonly counts: ReturnType<typeof noCounts>;
  readonly faults: Partial<Record<Fault, number>>;
  /** The first ones. */
  readonly lines: readonly Line[];
  readonly weakLines: readonly number[];
  /** What was left out of people who were added, and numbers that an earlier line has: the first ones. */
  readonly notes: readonly Line[];
  /** Kinds of the hashes that are refused, each with its number of rows. */
  readonly hashKinds: Readonly<Record<string, number>>;
  /** Unknown roles, each with its number of people. */
  readonly rolesLeftOut: Readonly<Record<string, number>>;
};

/** Rows of a transaction: short enough for the time limit of a statement. */
const BATCH = 500;
/** Lines that a report names. */
const MOST_LINES = 1000;

/**
 * Adds the people of a file, a batch a transaction. A fault stops no other row, and no account that is there is
 * changed: a second run adds the missing people (decision 114).
 */
export async function importUsers(
  context: Pick<CommandContext, 'db' | 'clock' | 'audit'>,
  records: AsyncIterable<FileRecord>,
  options: ImportOptions,
): Promise<Result> {
  const { db } = context;
  const counts = noCounts();
  const faults: Partial<Record<Fault, number>> = {};
  const lines: Line[] = [];
  const weakLines: number[] = [];
  const notes: Line[] = [];
  const hashKinds: Record<string, number> = {};
  const rolesLeftOut: Record<string, number> = {};
  const open = (await listSubtenants(db)).filter(({ is_active }) => is_active);
  const subtenants = new Map(
    open.flatMap(({ id, name }) => [[name.toLowerCase(), id] as const, [String(id), id] as const]),
  );
  /** The two things that grow with the file; a number has at most 15 digits. */
  const seen = new Set<string>();
  const numbers = new Set<number>();

  function fail(line: number, fault: RowFault): void {
    const { reason } = fault;
    counts.failed += 1;
    faults[reason] = (faults[reason] ?? 0) + 1;
    if (lines.length < MOST_LINES) lines.push({ line, ...fault });
  }

  function note(line: number, fault: RowFault): void {
    if (notes.length < MOST_LINES) notes.push({ line, ...fault });
  }

  function read({ line, value }: FileRecord): Ready | RowFault {
    if (!isObject(value)) return rowFault('badRow');
    const unknown = Object.keys(value).filter((name) => !options.isFieldKnown(name));
    if (unknown.length > 0) return rowFault('unknownField', unknown.join(', '));
    const person = options.toPerson(value);
    const { hash, hashKind } = person;
    if (typeof hash === 'string') hashKinds[hashKind] = (hashKinds[hashKind] ?? 0) + 1;
    const checked = check(line, person, subtenants, options);
    if ('reason' in checked) return checked;
    const mark = markOf(checked.email);
    if (seen.has(mark)) return rowFault('duplicate', 'email', checked.email);
    seen.add(mark);
    for (const role of person.rolesLeftOut) rolesLeftOut[role] = (rolesLeftOut[role] ?? 0) + 1;
    return checked;
  }

  async function take(batch: readonly Ready[]): Promise<void> {
    const end = batch.at(-1);
    if (!end) return;
    const { added, present, taken } = options.isDryRun
      ? await compare(db, batch)
      : await add(context, batch, options);
    for (const { line, email } of taken) fail(line, rowFault('taken', 'email', email));
    counts.present += present.length;
    counts.added += added.length;
    for (const { line, hash, leftOut, phone } of added) {
      counts.leftOut += leftOut.length;
      for (const fault of leftOut) note(line, fault);
      const number = Number(phone);
      if (numbers.has(number)) {
        counts.sameNumber += 1;
        note(line, rowFault('sameNumber', 'phone', phone));
      }
      if (phone !== '') numbers.add(number);
      if (hash === null) counts.withoutPassword += 1;
      if (!hash?.isWeak) continue;
      counts.weak += 1;
      if (weakLines.length < MOST_LINES) weakLines.push(line);
    }
  }

  let batch: Ready[] = [];
  for await (const record of records) {
    counts.rows += 1;
    const ready = read(record);
    if ('reason' in ready) fail(record.line, ready);
    else batch.push(ready);
    if (batch.length === BATCH) {
      await take(batch);
      batch = [];
    }
    if (counts.rows % BATCH === 0) options.onProgress(counts.rows);
  }
  await take(batch);
  options.onProgress(counts.rows);
  lines.sort((a, b) => a.line - b.line);
  return { counts, faults, lines, weakLines, notes, hashKinds, rolesLeftOut };
}

/** Twelve bytes stand for an address: a substring would keep the whole file in memory. */
const markOf = (email: string) =>
  digest('sha256', canonicalEmail(email), 'buffer').toString('latin1', 0, 12);

type Sorted = {
  readonly added: readonly Ready[];
  readonly present: readonly Ready[];
  readonly taken: readonly Ready[];
};

async function add(
  { db, clock, audit }: Pick<CommandContext, 'db' | 'clock' | 'audit'>,
  batch: readonly Ready[],
  { trustsProof, fileHash }: ImportOptions,
): Promise<Sorted> {
  const now = clock.now();
  return db.transaction().execute(async (transaction) => {
    // In one order, so that no two imports wait for each other's rows.
    const rows = batch
      .map((ready) => toAccount(ready, now, trustsProof))
      .toSorted((a, b) => (canonicalEmail(a.email) < canonicalEmail(b.email) ? -1 : 1));
    const accounts = await insertAccounts(transaction, rows);
    const ids = new Map(accounts.map((account) => [account.email_canonical, account.id]));
    const isAdded = ({ email }: Ready) => ids.has(canonicalEmail(email));
    const added = batch.filter(isAdded);
    const rest = batch.filter((ready) => !isAdded(ready));
    const others = await compare(transaction, rest);
    if (added.length === 0) return others;
    const roles = added.flatMap(({ email, roleIds }) =>
      roleIds.map((role_id) => ({ user_id: ids.get(canonicalEmail(email)) ?? 0, role_id })),
    );
    await transaction.insertInto('user_roles').values(roles).execute();
    const details = {
      file: fileHash(),
      fromLine: batch[0]?.line,
      toLine: batch.at(-1)?.line,
      added: added.length,
      present: others.present.length,
      taken: others.taken.length,
    };
    await audit({ kind: 'account.imported', details }, transaction);
    return { ...others, added };
  });
}

/**
 * Sorts rows by the account that has their address: none (added), one that an earlier import made from the same
 * external id (present), or any other (taken).
 */
async function compare(db: Db, batch: readonly Ready[]): Promise<Sorted> {
  if (batch.length === 0) return { added: [], present: [], taken: [] };
  const spellings = batch.flatMap(({ email }) => spellingsOf(email));
  const there = await db
    .selectFrom('users')
    .select(['email_canonical', 'external_id', 'imported_at'])
    .where('email_canonical', 'in', spellings)
    .execute();
  const owners = new Map(there.map((row) => [canonicalEmail(row.email_canonical), row]));
  const kindOf = ({ email, externalId }: Ready): keyof Sorted => {
    const owner = owners.get(canonicalEmail(email));
    if (!owner) return 'added';
    return owner.imported_at && owner.external_id === externalId ? 'present' : 'taken';
  };
  const sorted: Record<keyof Sorted, Ready[]> = { added: [], present: [], taken: [] };
  for (const ready of batch) sorted[kindOf(ready)].push(ready);
  return sorted;
}

function toAccount(ready: Ready, now: Date, trustsProof: boolean) {
  const isProven = ready.isProven && trustsProof;
  return {
    email: ready.email,
    first_name: ready.firstName,
    last_name: ready.lastName,
    // One number with its dial code; the file does not say where the code ends.
    dial_code: '',
    mobile: ready.phone,
    password_hash: ready.hash?.text ?? null,
    status: ready.isSuspended ? 'inactive' : 'active',
    subtenant_id: ready.subtenantId,
    created_at: now,
    activated_at: now,
    email_proven_at: isProven ? now : null,
    // Until the mailbox was read, a text must prove nothing: else any reader of that phone would get the account (PRF-02).
    mail_codes_only: !isProven,
    imported_at: now,
    external_id: ready.externalId,
  } as const satisfies Partial<Insertable<Tables['users']>>;
}
