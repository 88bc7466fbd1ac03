import { sql } from 'kysely';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { personKindOf } from '#domain/help-desk/console-rights.ts';
import { mayDo } from '#domain/help-desk/console-verbs.ts';
import { besideUser, consolePersonOf, shownNameOf } from '../../accounts/account-store.ts';
import type { FullContext } from '../../access/context.ts';
import { listAdministrators } from '../../people/house.ts';
import type { Staff } from '../staff.ts';

export type ShownPerson = { readonly id: number; readonly name: string; readonly email: string };

/** Returns those of some accounts that the staff member may look at, by their ids. */
export async function shownPeople(
  { db, config }: Pick<FullContext, 'db' | 'config'>,
  staff: Staff,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ShownPerson>> {
  if (ids.length === 0) return new Map();
  const accounts = await db
    .selectFrom('users')
    .selectAll()
    .select(besideUser)
    .where('id', 'in', [...new Set(ids)])
    .where('shadow_of', 'is', null)
    .execute();
  const shown = accounts.filter((account) =>
    mayDo(staff.role, 'look', personKindOf(staff, consolePersonOf(account), config.console)),
  );
  return new Map(
    shown.map((row) => [row.id, { id: row.id, name: shownNameOf(row), email: row.email }]),
  );
}

/** Returns the names of the house's own staff among actors: to an administrator everybody else is an operator. */
export async function houseStaffNames(
  context: Pick<FullContext, 'db' | 'config'>,
  staff: Staff,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const shown = await shownPeople(context, staff, ids);
  const administrators = await listAdministrators(context.db, staff.subtenantId);
  return new Map([...shown.values(), ...administrators].map(({ id, name }) => [id, name]));
}

export const personPath = ({ id }: Pick<ShownPerson, 'id'>): string => consolePath('people', id);

/** Returns the beginning of a day of the service, so many days ago. */
export async function startOfDay(
  { db, clock, config }: Pick<FullContext, 'db' | 'clock' | 'config'>,
  daysAgo = 0,
): Promise<Date> {
  const zone = config.timeZone ?? 'UTC';
  const { rows } = await sql<{ start: Date }>`
    select (date_trunc('day', ${clock.now()}::timestamptz at time zone ${zone}::text)
      - make_interval(days => ${daysAgo}::integer)) at time zone ${zone}::text as start`.execute(
    db,
  );
  return new Date(rows[0]?.start ?? clock.now());
}
