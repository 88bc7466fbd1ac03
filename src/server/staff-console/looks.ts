import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { PAGE_CODE_LIFE_MS } from '#domain/help-desk/page-code.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import type { AuditEvent } from '../audit/audit.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { later } from '../core/clock.ts';
import type { ServerContext } from '../core/context.ts';
import { staffActor, CONSOLE_IDLE_MS, type Staff } from './staff.ts';

/** Milliseconds in which opening the same person again is the same look; of a page that stays open, its whole time. */
const SAME_LOOK_MS = 5 * MINUTE_MS;
const OPEN_PAGE_MS = CONSOLE_IDLE_MS;

export type Looks = ReturnType<typeof createLooks>;

/** Creates the writer of what staff see: each look is an event, and many people in an hour raise an alarm (CON-05). */
export function createLooks(
  { db, clock, audit, rateLimits, secretBox }: ServerContext,
  log: Pick<FastifyBaseLogger, 'error'>,
) {
  /** The log keeps no words: the same words have the same hash, which nobody can guess without the secret. */
  const hashOf = (words: string) => secretBox.hmac('console-look', words);

  /** Returns whether the log has no such event of this staff member since then. */
  async function isNew(staff: Staff, event: AuditEvent, sinceMs: number): Promise<boolean> {
    const row = await db
      .selectFrom('audit_events')
      .select('id')
      .where('at', '>', later(clock.now(), -sinceMs))
      .where('kind', '=', event.kind)
      .where('actor', '=', staffActor(staff))
      .where(sql<boolean>`user_id is not distinct from ${event.userId ?? null}::bigint`)
      .where(sql<boolean>`details @> ${JSON.stringify(event.details ?? {})}::jsonb`)
      .executeTakeFirst();
    return row === undefined;
  }

  /** Counts people that a staff member saw, and raises the alarm. */
  async function count(staff: Staff, people: number): Promise<void> {
    const subject = String(staff.id);
    const use = [RATE_LIMITS.looksPerStaff, subject] as const;
    if (people === 0 || (await rateLimits.isWithin(...Array.from({ length: people }, () => use)))) {
      return;
    }
    if (!(await rateLimits.isWithin([RATE_LIMITS.looksAlarm, subject]))) return;
    await audit({ kind: 'console.manyLooks', userId: staff.id, actor: staffActor(staff) });
    log.error({ staff: staff.id }, 'a staff member looked at many people within an hour');
  }

  /** Writes that people were shown. Shown again within five minutes, as by 'Back to the search', they count once. */
  async function people(
    staff: Staff,
    details: { readonly shown: number; readonly words?: string; readonly list?: string },
  ): Promise<void> {
    const event = { kind: 'console.searched', actor: staffActor(staff), details } as const;
    const isFirst = await isNew(staff, event, SAME_LOOK_MS);
    await audit(event);
    if (isFirst) await count(staff, details.shown);
  }

  return {
    /** Writes that a person was opened, once for a page that stays open. */
    async person(staff: Staff, userId: number): Promise<void> {
      const event = { kind: 'console.looked', userId, actor: staffActor(staff) } as const;
      if (!(await isNew(staff, event, staff.isFollowing ? OPEN_PAGE_MS : SAME_LOOK_MS))) return;
      await audit(event);
      await count(staff, 1);
    },

    /** Writes a search, by a hash of its words. */
    search: (staff: Staff, words: string, shown: number): Promise<void> =>
      people(staff, { words: hashOf(words), shown }),

    /** Writes that a page of a list opened which names people. */
    list: async (staff: Staff, list: string, shown: number): Promise<void> => {
      if (shown > 0) await people(staff, { list, shown });
    },

    /** Writes that a page code opened a visit, once a code and staff member. */
    async visit(staff: Staff, code: string): Promise<void> {
      const details = { code: hashOf(code) };
      const event = { kind: 'console.visitLooked', actor: staffActor(staff), details } as const;
      if (await isNew(staff, event, PAGE_CODE_LIFE_MS)) await audit(event);
    },
  };
}
