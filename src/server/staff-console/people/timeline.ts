import type { EventKind } from '#locales/operator/events.ts';
import type { TimelineEntry } from '#contract/console.ts';
import { shownNamesOf } from '../../accounts/account-store.ts';
import { messagesToAccounts } from '../../access/person-messages.ts';
import type { FullContext } from '../../access/context.ts';
import type { Db } from '../../db/database.ts';
import { auditDesk as texts } from '#locales/operator/figures.ts';
import { houseStaffNames } from '../areas/shown-people.ts';
import { staffActor, type Staff, staffIdsIn } from '../staff.ts';

/** Events that another line of the timeline tells already: the message, the sign-in, or the way into an app. */
const HIDDEN: readonly EventKind[] = [
  'otp.sent',
  'request.refused',
  'signUp.asked',
  'handoff.redeemed',
  'hosted.tokens',
  'hosted.refreshed',
];

type Entry = Extract<TimelineEntry, { readonly kind: 'event' }>;

/** Returns what happened to an account, the newest first: events and messages, and whether there are more. */
export async function readTimeline(
  context: Pick<FullContext, 'db' | 'config'>,
  userId: number,
  { staff, most }: { readonly staff: Staff; readonly most: number },
): Promise<{ readonly entries: readonly TimelineEntry[]; readonly hasOlder: boolean }> {
  const { db } = context;
  const isOfHouse = staff.role === 'administrator';
  const events = await db
    .selectFrom('audit_events')
    .select(['at', 'kind', 'outcome', 'actor', 'request_id', 'details'])
    .where('user_id', '=', userId)
    .where('kind', 'not in', HIDDEN)
    .$if(isOfHouse, (query) => query.where('subtenant_id', '=', staff.subtenantId))
    .orderBy('at', 'desc')
    .limit(most + 1)
    .execute();
  const messages = await messagesToAccounts(db, [userId]);
  // For a day a failed message is in both.
  const told = new Set<unknown>(messages.map(({ id }) => id));
  const actors = events.flatMap(({ actor }) => actor ?? []);
  const nameOf = isOfHouse
    ? await houseActorNames(context, staff, actors)
    : await actorNames(db, actors);
  const all: TimelineEntry[] = [
    ...events
      .filter(({ kind, details }) => kind !== 'message.failed' || !told.has(details['id']))
      .map((event): Entry => ({
        kind: 'event',
        at: event.at.getTime(),
        request: isOfHouse ? null : event.request_id,
        event: event.kind,
        isFailure: event.outcome === 'failure',
        times: 1,
        by: nameOf(event.actor),
        isByMe: event.actor === staffActor(staff),
      })),
    ...messages.map(({ queued_at: at, channel, state, reason }): TimelineEntry => ({
      kind: 'message',
      at: at.getTime(),
      request: null,
      channel,
      state,
      reason,
    })),
  ];
  const sorted = all.toSorted((a, b) => b.at - a.at);
  return { entries: joined(sorted.slice(0, most)), hasOlder: sorted.length > most };
}

/** Joins the same event that happened several times in a row: "Password wrong, 3 times". */
function joined(entries: readonly TimelineEntry[]): readonly TimelineEntry[] {
  const lines: TimelineEntry[] = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    const isSame =
      last?.kind === 'event' &&
      entry.kind === 'event' &&
      last.event === entry.event &&
      last.by === entry.by;
    if (isSame) lines[lines.length - 1] = { ...last, times: last.times + 1 };
    else lines.push(entry);
  }
  return lines;
}

/** Does the same for an administrator of a house: its own staff have names, and operators none. */
async function houseActorNames(
  context: Pick<FullContext, 'db' | 'config'>,
  staff: Staff,
  actors: readonly string[],
) {
  const names = await houseStaffNames(context, staff, actors.flatMap(staffIdsIn));
  return (actor: string | null): string | null => {
    const [known] = staffIdsIn(actor).flatMap((id) => names.get(id) ?? []);
    return known ?? (/^(?:staff|operator|client):/.test(actor ?? '') ? texts.anOperator : null);
  };
}

/** Returns the names of actors other than the person: a staff member, an operator at the command line, a program. */
async function actorNames(db: Db, actors: readonly string[]) {
  const names = await shownNamesOf(db, actors.flatMap(staffIdsIn));
  return (actor: string | null): string | null => {
    const [known] = staffIdsIn(actor).flatMap((id) => names.get(id) ?? []);
    if (known || actor === null) return known ?? null;
    return /^(?:staff|operator|client):/.test(actor) ? actor.replace(':', ' ') : null;
  };
}
