import { sql } from 'kysely';
import type { ChannelFigures, ChannelState } from '#contract/console.ts';
import type { MessageChannel } from '#domain/proofs/otp.ts';
import { HOUR_MS } from '#domain/text/duration.ts';
import { later } from '../../core/clock.ts';
import type { FullContext } from '../../access/context.ts';
import type { CircuitState } from '../../jobs/circuit-breaker.ts';
import type { Courier } from '../../notifications/courier.ts';

/** A median of so many seconds is slow, if so many messages of the last hour say so. */
const SLOW_SECONDS = 30;
const FEWEST_FOR_STATE = 3;

/** Seconds until the message arrived; without receipts, until the provider took it. */
const SECONDS = sql`extract(epoch from
  coalesce(delivered_at, case when not has_receipts then sent_at end) - queued_at)::float8`;

type Row = {
  readonly channel: MessageChannel;
  /** The hours ago; `null`: the whole day. */
  readonly part: number | null;
  readonly sent: number;
  readonly back: number;
  readonly arrived: number;
  readonly receipts: number;
  readonly seconds: number | null;
};

/**
 * Counts the messages since a time, by channel and by the hour that ends now, the one before it, and so on.
 * @param house the subtenant whose people they went to; `null`: of all
 */
async function countSince(
  { db }: Pick<FullContext, 'db'>,
  from: Date,
  { now, house }: { readonly now: Date; readonly house: number | null },
): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    with sent as (
      select channel, state, has_receipts, ${SECONDS} as seconds,
        floor(greatest(0, extract(epoch from ${now}::timestamptz - queued_at)) / 3600)::integer as part
      from messages where queued_at >= ${from}::timestamptz
        and (${house}::integer is null or subtenant_id = ${house}::integer))
    select channel, part, count(*)::integer as sent,
      (count(*) filter (where state = 'failed'))::integer as back,
      count(seconds)::integer as arrived,
      (count(*) filter (where has_receipts))::integer as receipts,
      percentile_cont(0.5) within group (order by seconds) as seconds
    from sent group by grouping sets ((channel, part), (channel))`.execute(db);
  return rows;
}

/**
 * Returns how the messages of today do, for each channel that has a provider. Its state is that of the whole service, its
 * numbers are those of one subtenant, or of all for an operator (CON-51).
 */
export async function readChannels(
  context: Pick<FullContext, 'db' | 'clock'>,
  courier: Pick<Courier, 'channels'>,
  { midnight, house }: { readonly midnight: Date; readonly house: number | null },
): Promise<readonly ChannelFigures[]> {
  const now = context.clock.now();
  const service = await countSince(context, midnight, { now, house: null });
  const today = house === null ? service : await countSince(context, midnight, { now, house });
  const hours = Math.max(1, Math.ceil((now.getTime() - midnight.getTime()) / HOUR_MS));
  const channels = courier.channels();
  const has = (channel: MessageChannel) => channels.some((each) => each.channel === channel);
  const all: ChannelFigures[] = [];
  for (const { channel, provider, state: breaker } of channels) {
    const own = today.filter((row) => row.channel === channel);
    const whole = own.find(({ part }) => part === null) ?? NO_MESSAGES;
    const parts = Array.from({ length: hours }, (_, n) =>
      rounded(own.find(({ part }) => part === hours - 1 - n)?.seconds ?? null),
    );
    const state = channelState(
      breaker,
      service.filter((row) => row.channel === channel),
    );
    const isLate = state === 'slow' || state === 'away';
    const spare = SPARES[channel] ?? null;
    all.push({
      channel,
      state,
      since: isLate ? await lateSince(context, channel, midnight) : null,
      seconds: parts.findLast((seconds) => seconds !== null) ?? null,
      hasReceipts: whole.receipts > 0 || provider === 'inbox',
      parts,
      sent: whole.sent,
      cameBack: whole.back,
      provider,
      spare: spare !== null && has(spare) ? spare : null,
    });
  }
  return all;
}

const NO_MESSAGES = { sent: 0, back: 0, receipts: 0 };
const SPARES: Readonly<Partial<Record<MessageChannel, MessageChannel>>> = {
  email: 'sms',
  sms: 'email',
};

function channelState(breaker: CircuitState, own: readonly Row[]): ChannelState {
  if (breaker !== 'closed') return 'away';
  const recent = own.find(({ part }) => part === 0);
  const isSlow =
    recent !== undefined &&
    recent.arrived >= FEWEST_FOR_STATE &&
    (recent.seconds ?? 0) >= SLOW_SECONDS;
  if (isSlow) return 'slow';
  return own.length > 0 ? 'working' : 'quiet';
}

const rounded = (seconds: number | null) => (seconds === null ? null : Math.round(seconds));

/**
 * Returns the time of today's first late message after the last one in time. Those of the last hour may be mixed: its
 * median has said already that it is late.
 */
async function lateSince(
  { db, clock }: Pick<FullContext, 'db' | 'clock'>,
  channel: MessageChannel,
  midnight: Date,
): Promise<number | null> {
  const today = db
    .selectFrom('messages')
    .where('channel', '=', channel)
    .where('queued_at', '>=', midnight);
  const inTime = await today
    .select((eb) => eb.fn.max('queued_at').as('at'))
    .where('queued_at', '<', later(clock.now(), -HOUR_MS))
    .where(sql<boolean>`${SECONDS} < ${SLOW_SECONDS}`)
    .executeTakeFirst();
  const late = await today
    .select((eb) => eb.fn.min('queued_at').as('at'))
    .where('queued_at', '>', inTime?.at ?? later(midnight, -1))
    .where('state', '!=', 'failed')
    .where(sql<boolean>`coalesce(${SECONDS} >= ${SLOW_SECONDS}, true)`)
    .executeTakeFirst();
  return late?.at?.getTime() ?? null;
}
