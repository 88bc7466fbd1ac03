import type { FastifyBaseLogger } from 'fastify';
import { RATE_LIMITS } from '../config/limits.ts';
import { later } from '../clock.ts';
import type { ServerContext } from '../context.ts';
import { CONSOLE_IDLE_MS, type Staff } from './staff.ts';

/** Milliseconds in which opening the same person again is the same look; of a page that stays open, its whole time. */
const SAME_LOOK_MS = 5 * 60 * 1000;
const OPEN_PAGE_MS = CONSOLE_IDLE_MS;

/** The actor of a staff member's events. */
export const actorOf = ({ id }: Pick<Staff, 'id'>) => `staff:${id}`;

/** Creates the writer of looks at people: each is an event, and many in an hour raise an alarm (CON-05). */
export function createLooks(
  { db, clock, audit, rateLimits }: ServerContext,
  log: Pick<FastifyBaseLogger, 'error'>,
) {
  async function isNew(staff: Staff, userId: number): Promise<boolean> {
    const row = await db
      .selectFrom('audit_events')
      .select('id')
      .where('user_id', '=', userId)
      .where('at', '>', later(clock.now(), staff.isFollowing ? -OPEN_PAGE_MS : -SAME_LOOK_MS))
      .where('kind', '=', 'console.looked')
      .where('actor', '=', actorOf(staff))
      .executeTakeFirst();
    return row === undefined;
  }

  return async (staff: Staff, userId: number): Promise<void> => {
    if (!(await isNew(staff, userId))) return;
    const actor = actorOf(staff);
    await audit({ kind: 'console.looked', userId, actor });
    const subject = String(staff.id);
    if (await rateLimits.isWithin([RATE_LIMITS.looksPerStaff, subject])) return;
    if (!(await rateLimits.isWithin([RATE_LIMITS.looksAlarm, subject]))) return;
    await audit({ kind: 'console.manyLooks', userId: staff.id, actor });
    log.error({ staff: staff.id }, 'a staff member looked at many people within an hour');
  };
}
