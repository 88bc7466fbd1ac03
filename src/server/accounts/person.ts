import { sql } from 'kysely';
import { type Account, findAccount, findAccountByEmail, lockAccount } from './account-store.ts';
import { spellingsOf } from './addresses.ts';
import type { Db } from '../db/database.ts';
import type { Person } from './personal-data.ts';
import { wholeNumber } from './phone-text.ts';

/** Returns whether a word may name an account: an address, or an id. */
export const isPersonWord = (word: string): boolean => word.includes('@') || /^\d+$/.test(word);

/** Returns the account of an address or an id from the command line. */
export async function findByWord(db: Db, word: string): Promise<Account | undefined> {
  if (word.includes('@')) return findAccountByEmail(db, word);
  const id = Number(word);
  return /^\d+$/.test(word) && Number.isSafeInteger(id) ? findAccount(db, id) : undefined;
}

/** Locks the account, and collects the keys of its rows; `undefined`: it does not exist. */
export async function gatherPerson(transaction: Db, id: number): Promise<Person | undefined> {
  const account = await lockAccount(transaction, id);
  if (!account) return undefined;
  const standIns = await transaction
    .selectFrom('users')
    .select('id')
    .where('shadow_of', '=', id)
    .execute();
  const ids = [id, ...standIns.map((row) => row.id)];
  const forms = await transaction
    .selectFrom('registrations')
    .select(['email', 'dial_code', 'mobile'])
    .where('user_id', 'in', ids)
    .execute();
  const changes = await transaction
    .selectFrom('contact_changes')
    .selectAll()
    .where('user_id', '=', id)
    .execute();
  // The contacts before a change, and the new ones once their code was right.
  const changed = changes.filter((change) => change.changed_at !== null);
  const old = changed.map((change) => ({
    email: change.old_email,
    dial_code: change.old_dial_code,
    mobile: change.old_mobile,
  }));
  const contacts = [account, ...forms, ...old, ...changed];
  const visits = await sql<{ id: string }>`
    select visit_id as id from sign_ins where user_id in (${sql.join(ids)})
    union select visit_id from registrations where user_id in (${sql.join(ids)})
    union select visit_id from otp_codes where user_id in (${sql.join(ids)})
    union select visit_id from activation_links where user_id in (${sql.join(ids)})
    union select id from visits where unverified_user_id in (${sql.join(ids)})`.execute(
    transaction,
  );
  const numbers = contacts.map(wholeNumber).filter((number) => number !== '');
  const unique = (texts: readonly string[]) => [...new Set(texts)];
  return {
    ids,
    emails: unique(contacts.flatMap(({ email }) => [email, ...spellingsOf(email)])),
    phones: unique(numbers.flatMap((number) => [number, number.replace(/[^\d+]/g, '')])),
    visits: visits.rows.flatMap((row) => row.id ?? []),
  };
}
