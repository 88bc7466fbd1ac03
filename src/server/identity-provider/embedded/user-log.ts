import type { UserDirectory, UserEvent } from '#openid-provider/user-directory.ts';
import { later } from '../../core/clock.ts';
import type { ServerContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { managedUserId } from './managed-user-rows.ts';

/** Entries that can be reached by page and that totals count, as at Auth0. */
const MOST_BY_PAGES = 1000;
const SETTLED_MS = 10_000;

const selectEvents = (db: Db) =>
  db
    .selectFrom('audit_events')
    .select(['id', 'at', 'kind', 'outcome', 'reason', 'ip', 'details', 'user_id']);

type UserLog = Pick<UserDirectory, 'allEvents' | 'findEvent' | 'events'>;
type EventRow = Awaited<ReturnType<ReturnType<typeof selectEvents>['execute']>>[number];

function toEvent({ id, at, kind, outcome, reason, ip, details, user_id }: EventRow): UserEvent {
  const { clientId } = details as { readonly clientId?: unknown };
  return {
    id: String(id),
    at,
    userId: user_id === null ? null : String(user_id),
    kind,
    isFailure: outcome === 'failure',
    reason,
    ip,
    clientId: typeof clientId === 'string' ? clientId : null,
  };
}

/** Creates the reader of the audit log for the management calls. */
export const createUserLog = ({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): UserLog => ({
  async allEvents(query) {
    const all = selectEvents(db);
    if ('after' in query) {
      const after = managedUserId(query.after);
      if (after === null) return { events: [], total: 0 };
      const rows = await all
        .where('id', '>', after)
        // Ids are assigned before rows are committed: a reader who continues from the last one must miss none.
        .where('at', '<', later(clock.now(), -SETTLED_MS))
        .orderBy('id')
        .limit(query.take)
        .execute();
      return { events: rows.map(toEvent), total: rows.length };
    }
    const { page, perPage, isCounted } = query;
    if (page * perPage >= MOST_BY_PAGES) return { events: [], total: MOST_BY_PAGES };
    const rows = await all
      .orderBy('id', 'desc')
      .limit(Math.min(perPage, MOST_BY_PAGES - page * perPage))
      .offset(page * perPage)
      .execute();
    const first = db.selectFrom('audit_events').select('id').limit(MOST_BY_PAGES).as('first');
    const events = rows.map(toEvent);
    if (!isCounted) return { events, total: rows.length };
    const { total } = await db
      .selectFrom(first)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return { events, total: Number(total) };
  },

  async findEvent(eventId) {
    const id = managedUserId(eventId);
    if (id === null) return null;
    const row = await selectEvents(db).where('id', '=', id).executeTakeFirst();
    return row ? toEvent(row) : null;
  },

  async events(userId, { page, perPage }) {
    const id = managedUserId(userId);
    if (id === null) return { events: [], total: 0 };
    const ofUser = db.selectFrom('audit_events').where('user_id', '=', id);
    const rows = await selectEvents(db)
      .where('user_id', '=', id)
      .orderBy('id', 'desc')
      .limit(perPage)
      .offset(page * perPage)
      .execute();
    const { total } = await ofUser
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return { events: rows.map(toEvent), total: Number(total) };
  },
});
