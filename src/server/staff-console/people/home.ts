import { sql } from 'kysely';
import type { ConsoleHome } from '#contract/console.ts';
import { DEFAULT_SUBTENANT_ID } from '#domain/people/subtenants.ts';
import { ASKED_LIFE_MS } from '../../accounts/staff-change-store.ts';
import { later } from '../../core/clock.ts';
import type { FullContext } from '../../access/context.ts';
import { shownPeople, startOfDay } from '../areas/shown-people.ts';
import { readUndelivered } from '../areas/undelivered.ts';
import { staffActor, type Staff } from '../staff.ts';

/** The newest looks that are read for the last people. */
const LOOKS_READ = 100;
const MOST_PEOPLE = 5;

/** Returns what waits for a staff member today; of the help desk's own subtenant only. */
export async function readHome(context: FullContext, staff: Staff): Promise<ConsoleHome> {
  const { db, clock } = context;
  const now = clock.now();
  const today = await startOfDay(context);
  const house = staff.role === 'operator' ? null : staff.subtenantId;
  const changes = await db
    .selectFrom('staff_changes')
    .select('user_id')
    .where('asked_at', '>', later(now, -ASKED_LIFE_MS))
    .where('asked_by', '<>', staff.id)
    .where('due_at', 'is', null)
    .where('done_at', 'is', null)
    .where('closed_at', 'is', null)
    .where((eb) => eb.or([eb('what', '<>', 'email'), eb('opened_at', 'is not', null)]))
    .execute();
  const looks = await db
    .selectFrom('audit_events')
    .select('user_id')
    .where('actor', '=', staffActor(staff))
    .where('kind', '=', 'console.looked')
    .orderBy('at', 'desc')
    .limit(LOOKS_READ)
    .execute();
  const { rows } = await sql<{ codes: number; signIns: number }>`select
    (select count(*)::integer from page_codes join visits on visits.id = page_codes.visit_id
      where expires_at > ${now} and (${house}::bigint is null
        or coalesce((select users.subtenant_id from sign_ins join users on users.id = user_id
            where sign_ins.visit_id = visits.id and ended_at is null
            order by sign_ins.created_at desc limit 1),
          visits.subtenant_id, ${DEFAULT_SUBTENANT_ID}) = ${house})) as codes,
    (select count(*)::integer from audit_events where kind = 'signIn.complete' and at >= ${today}
      and (${house}::bigint is null or exists (select from users
        where users.id = audit_events.user_id and users.subtenant_id = ${house}))) as "signIns"`.execute(
    db,
  );
  const people = async (found: readonly { readonly user_id: number | null }[]) => {
    const ids = [...new Set(found.flatMap(({ user_id: id }) => id ?? []))];
    const shown = await shownPeople(context, staff, ids);
    return ids.flatMap((id) => shown.get(id) ?? []).map(({ id, name }) => ({ id, name }));
  };
  const undelivered = await readUndelivered(context, staff);
  const lately = await people(looks);
  return {
    changes: await people(changes),
    cameBack: undelivered.filter(({ at }) => at >= today).length,
    pageCodes: rows[0]?.codes ?? 0,
    looked: lately.slice(0, MOST_PEOPLE),
    signIns: rows[0]?.signIns ?? 0,
  };
}
