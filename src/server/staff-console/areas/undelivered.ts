import type { ListRow } from '#contract/console.ts';
import { fill } from '#locales/fill.ts';
import { consoleMessages } from '#locales/operator/console.ts';
import { messagesDesk as texts } from '#locales/operator/figures.ts';
import type { DeliveryReason } from '#domain/proofs/delivery.ts';
import { maskEmail, type MessageChannel } from '#domain/proofs/otp.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import { DAY_MS } from '#domain/text/duration.ts';
import { spellingsOf } from '../../accounts/addresses.ts';
import { later } from '../../core/clock.ts';
import type { FullContext } from '../../access/context.ts';
import { linkTo } from '../form-fields.ts';
import { houseOf, type Staff } from '../staff.ts';
import { createDeadLetters } from '../../jobs/dead-letters.ts';
import { openPayload } from '../../jobs/outbox.ts';
import { personPath, type ShownPerson, shownPeople } from './shown-people.ts';

/** The newest so many of each kind; `porchlight outbox list` has all. */
const MOST = 200;
type Reason = DeliveryReason | 'unknown';

/** Reasons that another try does not change. */
const FOR_GOOD: readonly Reason[] = ['invalid', 'blocked', 'suppressed'];

/** A message that no provider took. `job`: the id of its dead letter, which can be sent again. */
export type Undelivered = {
  readonly id: string;
  readonly job: string | null;
  readonly at: Date;
  readonly channel: MessageChannel;
  readonly what: string;
  readonly to: string;
  readonly person: ShownPerson | null;
  readonly reason: Reason;
};

type Found = Omit<Undelivered, 'person'> & { readonly userId: number | null };

/** Returns the messages that no provider took, the newest first. A help desk gets those of its own people. */
export async function readUndelivered(
  context: FullContext,
  staff: Staff,
): Promise<readonly Undelivered[]> {
  const found = [...(await deadLetters(context)), ...(await failedCodes(context, houseOf(staff)))];
  const ids = found.flatMap(({ userId }) => userId ?? []);
  const people = await shownPeople(context, staff, ids);
  return found
    .map(({ userId, ...each }) => ({ ...each, person: people.get(userId ?? 0) ?? null }))
    .filter(({ person }) => staff.role === 'operator' || person !== null)
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
}

/** Returns the messages with codes of the last day that came back, to one house or all: they are over, and not sent again. */
async function failedCodes({ db, clock }: FullContext, house: number | null) {
  const rows = await db
    .selectFrom('messages')
    .innerJoin('otp_codes', (join) =>
      join.on((eb) =>
        eb('otp_codes.id', '=', eb.fn.coalesce('messages.otp_id', 'messages.called_otp_id')),
      ),
    )
    .select(['messages.id', 'queued_at', 'destination', 'reason', 'channel', 'otp_codes.user_id'])
    .where('queued_at', '>', later(clock.now(), -DAY_MS))
    .where('state', '=', 'failed')
    .$if(house !== null, (query) => query.where('messages.subtenant_id', '=', house))
    .orderBy('queued_at', 'desc')
    .limit(MOST)
    .execute();
  return rows.map((row): Found => ({
    id: row.id,
    job: null,
    at: row.queued_at,
    channel: row.channel,
    what: texts.code[row.channel],
    to: row.destination,
    reason: row.reason ?? 'unknown',
    userId: row.user_id,
  }));
}

async function deadLetters(context: FullContext): Promise<readonly Found[]> {
  const { db, secretBox } = context;
  const letters = (await createDeadLetters(context).list()).toReversed().slice(0, MOST);
  if (letters.length === 0) return [];
  const [ids, keys] = [letters.map(({ id }) => id), letters.map(({ key }) => key)];
  const payloads = await db
    .selectFrom('outbox')
    .select(['id', 'payload'])
    .where('id', 'in', ids)
    .execute();
  const reasons = await db
    .selectFrom('messages')
    .select(['idempotency_key', 'reason'])
    .where('idempotency_key', 'in', keys)
    .execute();
  const found = letters.map((letter) => {
    const { payload = {} } = payloads.find(({ id }) => id === letter.id) ?? {};
    const { to = '', subject = '' } =
      letter.kind === 'message' ? openPayload(secretBox, payload) : {};
    return { letter, to: String(to), subject: String(subject) };
  });
  const addresses = found.map(({ to }) => to).filter((to) => to.includes('@'));
  const owners = await ownersOf(context, addresses);
  return found.map(({ letter, to, subject }) => ({
    id: letter.id,
    job: letter.id,
    at: letter.createdAt,
    channel: 'email',
    what: whatOf(letter, subject),
    to: to.includes('@') ? maskEmail(to) : texts.unknownPerson,
    reason: reasons.find((row) => row.idempotency_key === letter.key)?.reason ?? 'unknown',
    userId: owners.get(canonicalEmail(to)) ?? null,
  }));
}

/** Returns the accounts of addresses. */
async function ownersOf({ db }: Pick<FullContext, 'db'>, emails: readonly string[]) {
  if (emails.length === 0) return new Map<string, number>();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email_canonical'])
    .where('email_canonical', 'in', emails.flatMap(spellingsOf))
    .where('shadow_of', 'is', null)
    .execute();
  return new Map(rows.map((row) => [canonicalEmail(row.email_canonical), row.id]));
}

/** Returns what a message is, by the beginning of its key; a notice is named by its subject. */
function whatOf({ kind, key }: { kind: string; key: string }, subject: string): string {
  if (kind === 'lead') return texts.what.lead;
  if (kind !== 'message') return texts.what.other;
  const known = ['reset', 'invitation', 'activation'] as const;
  const own = known.find((each) => key.startsWith(`${each}:`));
  return own ? texts.what[own] : subject || texts.what.notice;
}

/** Returns the rows of the list; an operator may send a dead letter again, or drop it. */
export function undeliveredRows(all: readonly Undelivered[], staff: Staff): readonly ListRow[] {
  return all.map(({ id, job, at, channel, what, to, person, reason }) => ({
    id,
    cells: [
      person ? { text: person.name, href: personPath(person) } : to,
      what,
      {
        text: consoleMessages.reasons[channel][reason],
        tone: FOR_GOOD.includes(reason) ? ('bad' as const) : ('wait' as const),
      },
      { at: at.getTime() },
    ],
    actions:
      job !== null && staff.role === 'operator'
        ? (['retry', 'drop'] as const).map((verb) => linkTo(texts[verb], 'messages', id, verb))
        : person
          ? [{ label: texts.open, href: personPath(person) }]
          : [],
  }));
}

/** Returns the words that name a message in the form of its verb. */
export const undeliveredName = ({ what, to, person }: Undelivered): string =>
  fill(texts.about, { what, to: person?.name ?? to });
