import { hash as digest } from 'node:crypto';
import type { Insertable } from 'kysely';
import { isRoleId, type RoleId, ROLES } from '#domain/roles.ts';
import { normalizeName } from '#domain/sign-up-form.ts';
import { canonicalEmail, EMAIL_RULE, isEmail } from '#domain/validation.ts';
import { insertAccounts } from '#server/accounts/account-store.ts';
import type { Db } from '#server/db/database.ts';
import type { Tables } from '#server/db/schema.ts';
import type { HashFault, KnownHash } from '#server/password/hash-formats.ts';
import { listSubtenants } from '#server/subtenants/subtenant-store.ts';
import type { CommandContext } from '../command.ts';
import type { FileRecord } from './records.ts';
import { isObject, type Person } from './sources.ts';

export type Fault =
  | 'badRow'
  | 'unknownField'
  | 'badEmail'
  | 'duplicate'
  | 'taken'
  | 'badName'
  | 'badPhone'
  | 'unknownRole'
  | 'unknownSubtenant'
  | 'badFlag'
  | 'badExternalId'
  | HashFault;

/** What is wrong with a row, in which of our columns; `value` is empty where it may be a secret or says nothing. */
type RowFault = { readonly reason: Fault; readonly column: string; readonly value: string };
type Line = RowFault & { readonly line: number };

export type Counts = {
  rows: number;
  added: number;
  /** Came by an earlier run. */
  present: number;
  failed: number;
  /** Of those that were added. */
  weak: number;
  withoutPassword: number;
};

export type Result = {
  readonly counts: Counts;
  readonly faults: Partial<Record<Fault, number>>;
  /** The first ones. */
  readonly lines: readonly Line[];
  readonly weakLines: readonly number[];
  /** Roles that mean nothing here, each with the number of people who had it. */
  readonly rolesLeftOut: Readonly<Record<string, number>>;
};

export type ImportOptions = {
  readonly isDryRun: boolean;
  /** Whether an address that was proven there counts as proven here. */
  readonly trustsProof: boolean;
  /** `false` where somebody else keeps the passwords. */
  readonly keepsHashes: boolean;
  /** Of rows that name none. */
  readonly roleIds: readonly RoleId[];
  readonly subtenantId: number;
  readonly toPerson: (value: Readonly<Record<string, unknown>>) => Person;
  readonly isFieldKnown: (name: string) => boolean;
  /** The SHA-256 of the file, in hex; of a stream, of what was read so far. */
  readonly fileHash: () => string;
  /** Told after each batch. */
  readonly onProgress: (rows: number) => void;
};

type Ready = {
  readonly line: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly roleIds: readonly RoleId[];
  readonly subtenantId: number;
  readonly isProven: boolean;
  readonly isSuspended: boolean;
  readonly hash: KnownHash | null;
  readonly externalId: string | null;
};

/** Rows of a transaction: short enough for the time limit of a statement. */
const BATCH = 500;
/** Lines that a report names. */
const MOST_LINES = 1000;
const EXTERNAL_ID = /^[^\p{C}]{1,255}$/u;
const NAME = /^[^\p{C}]{0,100}$/u;

/**
 * Adds the people of a file, a batch a transaction. A fault stops no other row, and no account that is there is
 * changed: a second run adds what is missing (decision 114).
 */
export async function importUsers(
  context: Pick<CommandContext, 'db' | 'clock' | 'audit'>,
  records: AsyncIterable<FileRecord>,
  options: ImportOptions,
): Promise<Result> {
  const { db } = context;
  const counts: Counts = {
    rows: 0,
    added: 0,
    present: 0,
    failed: 0,
    weak: 0,
    withoutPassword: 0,
  };
  const faults: Partial<Record<Fault, number>> = {};
  const lines: Line[] = [];
  const weakLines: number[] = [];
  const rolesLeftOut: Record<string, number> = {};
  const open = (await listSubtenants(db)).filter(({ is_active }) => is_active);
  const subtenants = new Map(
    open.flatMap(({ id, name }) => [[name.toLowerCase(), id] as const, [String(id), id] as const]),
  );
  /** The one thing that grows with the file. */
  const seen = new Set<string>();

  function fail(line: number, fault: RowFault): void {
    const { reason } = fault;
    counts.failed += 1;
    faults[reason] = (faults[reason] ?? 0) + 1;
    if (lines.length < MOST_LINES) lines.push({ line, ...fault });
  }

  function read({ line, value }: FileRecord): Ready | RowFault {
    if (!isObject(value)) return faultOf('badRow');
    const unknown = Object.keys(value).filter((name) => !options.isFieldKnown(name));
    if (unknown.length > 0) return faultOf('unknownField', unknown.join(', '));
    const person = options.toPerson(value);
    const checked = check(line, person, subtenants, options);
    if ('reason' in checked) return checked;
    const mark = markOf(checked.email);
    if (seen.has(mark)) return faultOf('duplicate', 'email', checked.email);
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
    for (const { line, email } of taken) fail(line, faultOf('taken', 'email', email));
    counts.present += present.length;
    counts.added += added.length;
    for (const { line, hash } of added) {
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
  return { counts, faults, lines, weakLines, rolesLeftOut };
}

/** Twelve bytes stand for an address: a part of what was read would hold all of it in memory. */
const markOf = (email: string) =>
  digest('sha256', canonicalEmail(email), 'buffer').toString('latin1', 0, 12);

/** Where columns are mixed up, a hash may stand in any of them: a word of this length is not repeated. */
const MAY_BE_SECRET = /[^\s@]{32}/;

/** Returns a fault with the value that shows it, on one line. */
function faultOf(reason: Fault, column = '', value = ''): RowFault {
  const isShown = !MAY_BE_SECRET.test(value);
  return { reason, column, value: isShown ? value.replaceAll(/\p{C}/gu, '?') : '' };
}

/** What can be told without the accounts that are there. */
function check(
  line: number,
  person: Person,
  subtenants: ReadonlyMap<string, number>,
  options: ImportOptions,
): Ready | RowFault {
  const { externalId, isProven, isSuspended, hash } = person;
  const email = EMAIL_RULE.normalize(person.email);
  if (!isEmail(email)) return faultOf('badEmail', 'email', email);
  const [firstName = '', lastName = ''] = [person.firstName, person.lastName].map(normalizeName);
  if (!NAME.test(firstName)) return faultOf('badName', 'first_name', firstName);
  if (!NAME.test(lastName)) return faultOf('badName', 'last_name', lastName);
  const phone = person.phone.replaceAll(/[\s().-]/g, '');
  if (phone !== '' && !/^\+\d{10,15}$/.test(phone)) {
    return faultOf('badPhone', 'phone', person.phone);
  }
  const unknown = person.roles.filter((role) => roleOf(role) === null);
  if (unknown.length > 0) return faultOf('unknownRole', 'roles', unknown.join(', '));
  const known = person.roles.map(roleOf).filter((id) => id !== null);
  const named = person.subtenant.toLowerCase();
  const subtenantId = subtenants.get(named === '' ? String(options.subtenantId) : named);
  if (subtenantId === undefined) {
    return faultOf('unknownSubtenant', 'subtenant', person.subtenant);
  }
  if (isProven === null) return faultOf('badFlag', 'email_verified');
  if (isSuspended === null) return faultOf('badFlag', 'suspended');
  if (externalId !== '' && !EXTERNAL_ID.test(externalId)) {
    return faultOf('badExternalId', 'external_id');
  }
  if (typeof hash === 'string') return faultOf(hash, 'password_hash');
  return {
    line,
    email,
    firstName,
    lastName,
    phone,
    roleIds: known.length > 0 ? [...new Set(known)] : options.roleIds,
    subtenantId,
    isProven,
    isSuspended,
    hash: options.keepsHashes ? hash : null,
    externalId: externalId === '' ? null : externalId,
  };
}

/** A role by its number or its name on screen. */
function roleOf(word: string): RoleId | null {
  const id = Number(word);
  if (isRoleId(id)) return id;
  const named = Object.entries(ROLES).find(
    ([, { key }]) => key.toLowerCase() === word.toLowerCase(),
  );
  const namedId = Number(named?.[0]);
  return isRoleId(namedId) ? namedId : null;
}

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
    const others = await compare(
      transaction,
      batch.filter((ready) => !isAdded(ready)),
    );
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

/** An account that came by an import and has the same id there is this row's; any other has taken its address. */
async function compare(db: Db, batch: readonly Ready[]): Promise<Sorted> {
  if (batch.length === 0) return { added: [], present: [], taken: [] };
  const there = await db
    .selectFrom('users')
    .select(['email_canonical', 'external_id', 'imported_at'])
    .where(
      'email_canonical',
      'in',
      batch.map(({ email }) => canonicalEmail(email)),
    )
    .execute();
  const owners = new Map(there.map((row) => [row.email_canonical, row]));
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
    // One number, dial code and all: where it ends nobody said.
    dial_code: '',
    mobile: ready.phone,
    password_hash: ready.hash?.text ?? null,
    status: ready.isSuspended ? 'inactive' : 'active',
    subtenant_id: ready.subtenantId,
    created_at: now,
    activated_at: now,
    email_proven_at: isProven ? now : null,
    // Until the mailbox was read, a text must prove nothing: the account would be anybody's who reads it (PRF-02).
    mail_codes_only: !isProven,
    imported_at: now,
    external_id: ready.externalId,
  } as const satisfies Partial<Insertable<Tables['users']>>;
}
