import { domainToUnicode } from 'node:url';
import { sql } from 'kysely';
import { canonicalEmail } from '#domain/typed/validation.ts';
import type { Db } from '../db/database.ts';

/**
 * Returns the spellings under which an account may have this address, the typed one first: releases before 0.2 stored an
 * international domain as it was typed (decision 253).
 */
export function spellingsOf(email: string): readonly string[] {
  const canonical = canonicalEmail(email);
  const domainAt = canonical.lastIndexOf('@') + 1;
  const domain = canonical.slice(domainAt);
  const written = domain.includes('xn--') ? domainToUnicode(domain) : domain;
  if (written === '' || written === domain) return [canonical];
  const inLetters = canonical.slice(0, domainAt) + written;
  return isInLetters(email) ? [inLetters, canonical] : [canonical, inLetters];
}

/**
 * Matches the row of `users` with an address. Where two accounts have one mailbox in two spellings, it is the one that
 * has the typed spelling.
 */
export function hasAddress(email: string, table: 'users' | 'member' = 'users') {
  const [typed, ...others] = spellingsOf(email);
  const column = sql.ref(`${table}.email_canonical`);
  if (others.length === 0) return sql<boolean>`${column} = ${typed}`;
  return sql<boolean>`${column} = (
    select email_canonical from users where email_canonical in (${sql.join([typed, ...others])})
    order by email_canonical = ${typed} desc limit 1)`;
}

/** Returns the canonical form of those addresses that accounts have in another spelling than the canonical one. */
export async function takenInLetters(db: Db, emails: readonly string[]) {
  const spellings = emails.flatMap((email) => spellingsOf(canonicalEmail(email)).slice(1));
  if (spellings.length === 0) return new Set<string>();
  const rows = await db
    .selectFrom('users')
    .select('email_canonical')
    .where('email_canonical', 'in', spellings)
    .execute();
  return new Set(rows.map((row) => canonicalEmail(row.email_canonical)));
}

/** Addresses of one statement, which stays far below the time limit of statements. */
const BATCH = 2000;

/** Returns the mailboxes that two accounts have, by the letters of a domain and by its A-labels. */
export async function mailboxesOfTwo(db: Db): Promise<readonly string[]> {
  const found: string[] = [];
  let [last, size] = ['', BATCH];
  while (size === BATCH) {
    const rows = await db
      .selectFrom('users')
      .select('email_canonical')
      .where('email_canonical', '>', last)
      .orderBy('email_canonical')
      .limit(BATCH)
      .execute();
    const emails = rows.map((row) => row.email_canonical);
    found.push(...(await othersOf(db, emails.filter(isInLetters))));
    size = emails.length;
    last = emails.at(-1) ?? last;
  }
  return found;
}

/** Returns the A-label spellings of these addresses that accounts have. */
async function othersOf(db: Db, inLetters: readonly string[]): Promise<readonly string[]> {
  if (inLetters.length === 0) return [];
  const rows = await db
    .selectFrom('users')
    .select('email_canonical')
    .where('email_canonical', 'in', inLetters.map(canonicalEmail))
    .execute();
  return rows.map((row) => row.email_canonical);
}

const isInLetters = (email: string) => /[^\0-\u007F]/.test(email.slice(email.lastIndexOf('@')));
