import { type Expression, type Selectable, sql } from 'kysely';
import { personKindOf } from '#domain/help-desk/console-rights.ts';
import { mayDo } from '#domain/help-desk/console-verbs.ts';
import type { FoundPerson, PeopleFilter, PeopleQuery, SearchPage } from '#contract/console.ts';
import { maskEmail } from '#domain/proofs/otp.ts';
import { whyCannotSignIn } from '#domain/help-desk/why-cannot-sign-in.ts';
import { readSearch, type Searched } from '#domain/typed/search.ts';
import { spellingsOf } from '../../accounts/addresses.ts';
import { administers, consolePersonOf, shownNameOf } from '../../accounts/account-store.ts';
import { hadAddress } from '../../accounts/contact-changes.ts';
import { foldNewestNames } from '../../accounts/name-keys.ts';
import { signInFactsOf } from '../../access/sign-in-facts.ts';
import type { ServerContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import type { Tables } from '../../db/schema.ts';
import type { Staff } from '../staff.ts';

/** The search looks at no more people: with more, the words have to say more. */
const MOST = 200;
const PAGE_SIZE = 10;
/** So many keys of a range are looked at. */
const MOST_KEYS = 1500;
const REFERENCE = /^[\w.:-]{8,64}$/;

type Row = Selectable<Tables['users']> & {
  readonly subtenant: string | null;
  readonly roleIds: number[];
  readonly administers: number | null;
  /** When the address that was typed was changed to another one. */
  readonly movedAt: Date | null;
};

/** Finds people whom the staff member may see, by part of a name, address or number, an id or a reference. */
export async function searchPeople(
  context: ServerContext,
  staff: Staff,
  query: PeopleQuery,
): Promise<NonNullable<SearchPage['found']>> {
  const { db, config } = context;
  const { rows, isCut } = await candidates(context, query.text, staff);
  const seen = rows.slice(0, MOST).filter((row) => {
    const kind = personKindOf(staff, consolePersonOf(row), config.console);
    return mayDo(staff.role, 'look', kind);
  });
  const kept = seen.filter((row) => isIn(query.filter, row)).toSorted(ORDERS[query.order]);
  const from = (query.page - 1) * PAGE_SIZE;
  const shown = kept.slice(from, from + PAGE_SIZE);
  const ids = shown.map(({ id }) => id);
  const lastSignIns = await lastSignInsOf(db, ids);
  const people: FoundPerson[] = [];
  for (const row of shown) {
    people.push({
      id: row.id,
      name: shownNameOf(row),
      email: maskEmail(row.email),
      subtenant: row.subtenant ?? '',
      cause: whyCannotSignIn(await signInFactsOf(context, row)),
      lastSignIn: lastSignIns.get(row.id)?.getTime() ?? null,
      movedAt: row.movedAt?.getTime() ?? null,
    });
  }
  const count = (filter: PeopleFilter) => seen.filter((row) => isIn(filter, row)).length;
  return {
    people,
    counts: { all: seen.length, off: count('off'), waiting: count('waiting') },
    pages: Math.ceil(kept.length / PAGE_SIZE),
    hasMore: isCut,
  };
}

function isIn(filter: PeopleFilter, { status, password_hash: hash }: Row): boolean {
  if (filter === 'off') return status === 'inactive';
  if (filter === 'waiting') return status === 'pending' || (status === 'active' && hash === null);
  return true;
}

const byName = new Intl.Collator('en');
const ORDERS = {
  name: (a: Row, b: Row) =>
    byName.compare(`${a.last_name} ${a.first_name}`, `${b.last_name} ${b.first_name}`),
  newest: (a: Row, b: Row) => b.created_at.getTime() - a.created_at.getTime(),
} as const;

/**
 * Returns one row more than `MOST` at most. Each condition is one range of an index within one subtenant, so that a
 * search costs the same in a crowd.
 */
async function candidates(
  { db, clock }: ServerContext,
  text: string,
  staff: Staff,
): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }> {
  // Names that were written since the last run; a fault there is the task's to report.
  const isFilling = await foldNewestNames(db).catch(() => true);
  const searched = readSearch(text);
  const addresses = searched.address === null ? [] : spellingsOf(searched.address);
  const had = hadAddress(addresses.map(startOf), clock.now());
  const limit = sql.lit(MOST + 1);
  const branches = [
    ...conditionsOf(searched.number, addresses, isFilling ? text : '', had).map(
      (condition) => sql`(select id from users
        where subtenant_id = s.id and shadow_of is null and ${condition} limit ${limit})`,
    ),
    ...nameRanges(searched.words),
  ];
  const own = staff.role === 'operator' ? sql`true` : sql`s.id = ${staff.subtenantId}`;
  const parts = [
    ...(branches.length > 0
      ? [
          sql`(select found.id from subtenants s
            cross join lateral (${sql.join(branches, sql` union `)}) as found (id)
            where ${own} limit ${limit})`,
        ]
      : []),
    ...(REFERENCE.test(text)
      ? [
          sql`(select user_id as id from audit_events
            where request_id = ${text} and user_id is not null limit ${limit})`,
        ]
      : []),
    ...(/^\d{1,15}$/.test(text) ? [sql`(select id from users where id = ${text}::bigint)`] : []),
  ];
  if (parts.length === 0) return { rows: [], isCut: false };
  const { rows } = await sql<Row | (Row & { readonly id: null })>`
    with found as materialized (
      select id from (${sql.join(parts, sql` union `)}) as ids limit ${limit}
    )
    select users.*, subtenants.name as subtenant,
      array(select role_id from user_roles where user_id = users.id) as "roleIds",
      ${administers} as administers,
      (select max(changed_at) from contact_changes
        where user_id = users.id and ${had}) as "movedAt"
    from found left join users on users.id = found.id
      left join subtenants on subtenants.id = users.subtenant_id
    where users.shadow_of is null`.execute(db);
  const people = rows.filter((row) => row.id !== null);
  return { rows: people, isCut: rows.length > MOST || people.length < rows.length };
}

/** Returns the conditions on accounts themselves: a number ends so, or an address begins so. */
function conditionsOf(
  number: Searched['number'],
  addresses: readonly string[],
  earlierName: string,
  had: Expression<unknown>,
) {
  if (number !== null) {
    const end = `${[...number].toReversed().join('')}%`;
    return [
      sql`mobile <> ''
        and reverse(regexp_replace(dial_code || mobile, '\\D', '', 'g')) like ${end}`,
    ];
  }
  // Until each account has its keys (decision 244), the beginnings of names as they are written.
  const name = startOf(earlierName.toLowerCase());
  return [
    ...(earlierName.length > 1
      ? [sql`lower(first_name) like ${name}`, sql`lower(last_name) like ${name}`]
      : []),
    ...((addresses[0] ?? '').length > 1
      ? [
          ...addresses.map((address) => sql`email_canonical like ${startOf(address)}`),
          sql`id in (select user_id from contact_changes where ${had})`,
        ]
      : []),
  ];
}

/**
 * Returns the ranges of keys for the words of a name: as typed without their spaces, and each two of the longest words.
 * Of names that have two beginnings and neither word whole, a bounded number is looked at: an id `null` says that there
 * are more.
 */
function nameRanges(words: readonly string[]) {
  if (words.join('').length < 2) return [];
  const limit = sql.lit(MOST + 1);
  const range = (start: string) => sql`select user_id, words from name_keys
    where subtenant_id = s.id and key like ${startOf(start)} order by key limit ${sql.lit(MOST_KEYS)}`;
  const hasAll = sql.join(
    words.map((word) => sql`words like ${`% ${startOf(word)}`}`),
    sql` and `,
  );
  const whole = sql`(select distinct user_id from (${range(words.join(''))}) as k limit ${limit})`;
  const [one, other] = words.toSorted((a, b) => b.length - a.length);
  if (one === undefined || other === undefined) return [whole];
  const pairs = [one + other, other + one].map(
    (pair) =>
      sql`(select distinct user_id from (${range(pair)}) as k where ${hasAll} limit ${limit})`,
  );
  const each = sql`(with a as materialized (${range(one)}), b as materialized (${range(other)})
    select user_id from (
      select user_id from a where ${hasAll} union select user_id from b where ${hasAll}
      union select null where (select count(*) from a) = ${sql.lit(MOST_KEYS)}
        and (select count(*) from b) = ${sql.lit(MOST_KEYS)}
    ) as k limit ${limit})`;
  return [whole, ...pairs, each];
}

const startOf = (text: string) => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Returns the last sign-ins that the log still has. */
export async function lastSignInsOf(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Date>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('audit_events')
    .select(['user_id', (eb) => eb.fn.max('at').as('at')])
    .where('user_id', 'in', ids)
    .where('kind', '=', 'signIn.complete')
    .groupBy('user_id')
    .execute();
  return new Map(rows.flatMap(({ user_id: id, at }) => (id === null ? [] : [[id, at]])));
}
