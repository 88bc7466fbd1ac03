import { randomUUID } from 'node:crypto';
import { maskEmail, maskPhone, type MessageChannel } from '#domain/proofs/otp.ts';
import type { DeliveryReason, DeliveryState } from '#domain/proofs/delivery.ts';
import { CALL_PAUSE_MS } from '#domain/proofs/voice.ts';
import { type Clock, later } from '../core/clock.ts';
import type { Db } from '../db/database.ts';
import {
  type CircuitBreaker,
  type CircuitState,
  createCircuitBreaker,
} from '../jobs/circuit-breaker.ts';
import { inSpan } from '../http/tracing/span.ts';
import { PermanentError } from '../jobs/errors.ts';
import type { JobDefinition } from '../jobs/job.ts';
import type { ServerContext } from '../core/context.ts';
import type { Accepted, Driver } from './drivers/driver.ts';
import type { Drivers } from './drivers/drivers.ts';
import type { Message } from './compose-message.ts';
import { smsNumber } from './sms-pumping-guard.ts';

/** A message with a code, and our own limits on sending it. */
type ForCode = {
  readonly otpId: string;
  readonly expiresAt: Date;
  readonly refusal: DeliveryReason | null;
};

/** A message's change of state, for metrics. */
export type MessageNews = {
  readonly state: DeliveryState;
  readonly channel: MessageChannel;
  readonly key: string;
  readonly subtenantId: number | null;
};

type About = {
  readonly idempotencyKey: string;
  readonly subtenantId: number;
  readonly code?: ForCode;
  /** The OTP that a call says. */
  readonly callOf?: string;
};

export type Courier = ReturnType<typeof createCourier>;

const MESSAGE_JOB = 'message';

type Watch = (provider: string, state: CircuitState) => void;
type Guarded = { readonly driver: Driver; readonly breaker: CircuitBreaker };

/** Creates the sender of messages to people: it records the state of each, and pauses a provider that is down. */
export function createCourier(
  context: ServerContext,
  drivers: Drivers,
  watch: Watch,
  onNews: (news: MessageNews) => void = () => undefined,
) {
  const { db, clock, secretBox, outbox } = context;
  const guarded = guard(drivers, clock, watch);

  const rowOf = (idempotencyKey: string) =>
    db
      .selectFrom('messages')
      .select(['id', 'otp_id', 'called_otp_id'])
      .where('idempotency_key', '=', idempotencyKey)
      .executeTakeFirst();

  /** Returns the expiry of a code from its own row, which changes when it is replaced, used up or extended. */
  async function endOfCode(otpId: string): Promise<Date | null> {
    const code = await db
      .selectFrom('otp_codes')
      .select('expires_at')
      .where('id', '=', otpId)
      .where('closed_at', 'is', null)
      .where('verified_at', 'is', null)
      .executeTakeFirst();
    return code?.expires_at ?? null;
  }

  /** Returns the end of a message's use; `null` when it is over, or has none. A call rings now or never. */
  async function endOf(row: Awaited<ReturnType<typeof rowOf>>, expiresAt: Date | null) {
    if (row?.otp_id) return endOfCode(row.otp_id);
    if (!row?.called_otp_id) return expiresAt;
    return (await endOfCode(row.called_otp_id)) && expiresAt;
  }

  async function recordSent(id: string, { providerId, isDelivered }: Accepted): Promise<void> {
    const now = clock.now();
    const row = await db
      .updateTable('messages')
      .set({
        state: isDelivered ? 'delivered' : 'sent',
        sent_at: now,
        ...(isDelivered && { delivered_at: now }),
        ...(providerId && { provider_ref: secretBox.hmac('receipts', providerId) }),
      })
      .where('id', '=', id)
      // A delivery report may have arrived first.
      .where('state', '=', 'queued')
      .returning(NEWS)
      .executeTakeFirst();
    if (!row) return;
    onNews(messageNews(row, 'sent'));
    if (isDelivered) onNews(messageNews(row, 'delivered'));
  }

  return {
    hasChannel: (channel: MessageChannel) => guarded[channel] !== undefined,

    /** Queues a message in the transaction of its cause. */
    async queue(transaction: Db, message: Message, about: About): Promise<void> {
      const { idempotencyKey, subtenantId, code, callOf = null } = about;
      const { channel, to } = message;
      const driver = guarded[channel]?.driver;
      const refusal = channelRefusal(driver, code);
      const now = clock.now();
      const added = await transaction
        .insertInto('messages')
        .values({
          id: randomUUID(),
          idempotency_key: idempotencyKey,
          otp_id: code?.otpId ?? null,
          called_otp_id: callOf,
          channel,
          subtenant_id: subtenantId,
          destination: channel === 'email' ? maskEmail(to) : maskPhone(to),
          state: refusal ? 'failed' : 'queued',
          reason: refusal,
          has_receipts: driver?.hasDeliveryReports ?? false,
          queued_at: now,
          failed_at: refusal ? now : null,
        })
        .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!added) return;
      if (refusal) return onNews({ state: 'failed', channel, key: idempotencyKey, subtenantId });
      await outbox.add(transaction, {
        kind: MESSAGE_JOB,
        payload: await payloadOf(message),
        idempotencyKey,
        ...(code && { expiresAt: code.expiresAt }),
        ...(callOf !== null && { expiresAt: later(now, CALL_PAUSE_MS) }),
      });
    },

    /** Sends a message to its channel's provider; the expiry of a code can move while its message waits. */
    job: {
      kind: MESSAGE_JOB,
      async deliver(payload, idempotencyKey, expiresAt) {
        const message = payload as unknown as Message;
        const provider = guarded[message.channel];
        if (!provider)
          throw new PermanentError('unavailable', `No provider for ${message.channel}`);
        const row = await rowOf(idempotencyKey);
        const end = await endOf(row, expiresAt);
        const isForCode = row?.otp_id ?? row?.called_otp_id;
        const validForMs = end && end.getTime() - clock.now().getTime();
        const isOver = (isForCode && !end) || (validForMs !== null && validForMs <= 0);
        if (isOver) throw new PermanentError('expired', 'The message is not wanted any more');
        // Jobs of an older version have no row.
        const id = row?.id ?? secretBox.hmac('message', idempotencyKey);
        const { driver, breaker } = provider;
        const about = {
          'porchlight.channel': message.channel,
          'porchlight.provider': driver.provider,
        };
        const accepted = await breaker.run(() =>
          inSpan(`send ${message.channel}`, about, () =>
            driver.send({ message, id, idempotencyKey, validForMs }),
          ),
        );
        if (row) await recordSent(row.id, accepted);
      },

      async expiryOf(idempotencyKey, expiresAt) {
        return endOf(await rowOf(idempotencyKey), expiresAt);
      },

      async onDead({ idempotencyKey, cause, isExpired }) {
        const reason = cause instanceof PermanentError ? cause.reason : 'unavailable';
        const row = await db
          .updateTable('messages')
          .set({
            state: 'failed',
            reason: isExpired ? 'expired' : reason,
            failed_at: clock.now(),
          })
          .where('idempotency_key', '=', idempotencyKey)
          .where('state', '=', 'queued')
          .returning(['id', 'reason', 'otp_id', ...NEWS])
          .executeTakeFirst();
        if (!row) return;
        onNews(messageNews(row, 'failed'));
        await recordFailed(context, row, 'server');
      },
    } satisfies JobDefinition,

    states: (): Readonly<Record<string, CircuitState>> =>
      Object.fromEntries(
        Object.values(guarded).map(({ driver, breaker }) => [driver.provider, breaker.state()]),
      ),

    /** Returns the provider of each channel that has one, with the state of its breaker. */
    channels: (): readonly { channel: MessageChannel; provider: string; state: CircuitState }[] =>
      (Object.entries(guarded) as [MessageChannel, Guarded][]).map(
        ([channel, { driver, breaker }]) => ({
          channel,
          provider: driver.provider,
          state: breaker.state(),
        }),
      ),

    close(): void {
      for (const driver of new Set(Object.values(drivers))) driver?.close?.();
    },
  };
}

const channelRefusal = (driver: Driver | undefined, code: ForCode | undefined) =>
  code?.refusal ?? (driver ? null : 'unavailable');

const payloadOf = async (message: Message) =>
  message.channel === 'email' ? message : { ...message, to: await smsNumber(message.to) };

/** The columns for metrics. */
export const NEWS = ['channel', 'idempotency_key', 'subtenant_id'] as const;

export const messageNews = (
  row: { channel: MessageChannel; idempotency_key: string; subtenant_id: number | null },
  state: DeliveryState,
): MessageNews => ({
  state,
  channel: row.channel,
  key: row.idempotency_key,
  subtenantId: row.subtenant_id,
});

type Failed = {
  readonly id: string;
  readonly channel: MessageChannel;
  readonly reason: DeliveryReason | null;
  readonly otp_id: string | null;
};

/** Writes the event of a failed message. That of a code names its visit: the message is deleted after a day. */
export async function recordFailed(
  { db, audit }: Pick<ServerContext, 'db' | 'audit'>,
  { id, channel, reason, otp_id: otpId }: Failed,
  actor: 'provider' | 'server',
): Promise<void> {
  const code =
    otpId === null
      ? undefined
      : await db
          .selectFrom('otp_codes')
          .innerJoin('visits', 'visits.id', 'otp_codes.visit_id')
          .select(['otp_codes.user_id', 'otp_codes.visit_id', 'visits.subtenant_id'])
          .where('otp_codes.id', '=', otpId)
          .executeTakeFirst();
  const { user_id: userId = null, visit_id: visitId = null, subtenant_id = null } = code ?? {};
  const details = { id, channel, reason, ...(subtenant_id && { subtenantId: subtenant_id }) };
  await audit({ kind: 'message.failed', actor, userId, visitId, details });
}

/** One breaker a provider, also where one provider serves two channels. */
function guard(drivers: Drivers, clock: Clock, watch: Watch) {
  const known = new Map<Driver, Guarded>();
  const guarded: Partial<Record<MessageChannel, Guarded>> = {};
  for (const [channel, driver] of Object.entries(drivers) as [MessageChannel, Driver | null][]) {
    if (!driver) continue;
    const onChange = (state: CircuitState) => watch(driver.provider, state);
    const found = known.get(driver) ?? {
      driver,
      breaker: createCircuitBreaker({ clock, onChange }),
    };
    known.set(driver, found);
    guarded[channel] = found;
  }
  return guarded;
}
