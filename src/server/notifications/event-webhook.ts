/** Events of accounts for an operator's own systems: a signed webhook after "Standard Webhooks" 1.0 (decision 122). */

import { createHmac, randomUUID } from 'node:crypto';
import type { AuditEvent } from '../audit/audit.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../db/database.ts';
import { postOut } from '../http/outbound.ts';
import { type CircuitState, createCircuitBreaker } from '../jobs/circuit-breaker.ts';
import { PermanentError, TransientError } from '../jobs/errors.ts';
import type { Outbox } from '../jobs/outbox.ts';
import type { JobDefinition } from '../jobs/job.ts';
import type { ServerContext } from '../core/context.ts';

export type EventWebhook = {
  /** Queues the webhook event of an audit event, in the transaction of its cause; most kinds have none. */
  tell(event: AuditEvent, db: Db): Promise<void>;
  /** Posts one event. */
  readonly job: JobDefinition;
  states(): Readonly<Record<string, CircuitState>>;
};

type Settings = NonNullable<Config['events']>;
type Deps = Pick<ServerContext, 'clock' | 'config'> & { readonly outbox: Pick<Outbox, 'add'> };

export const EVENT_JOB = 'event';
const PROVIDER = 'events';
const KEY_PREFIX = `${EVENT_JOB}:`;
const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks: the endpoint is gone and accepts no more events. */
const GONE = 410;

const MADE = 'account.made';
/** The event type of an audit event's kind; the same word, if the log has one. */
const TYPES: Readonly<Record<string, string>> = {
  'account.added': MADE,
  'account.createdByClient': MADE,
  'account.activated': 'account.activated',
  'account.suspended': 'account.suspended',
  'account.resumed': 'account.resumed',
  'account.erased': 'account.erased',
  'signIn.complete': 'signIn.complete',
};

function typeOf({ kind, details }: AuditEvent): string | undefined {
  // A sign-up with a known address makes no account.
  return details?.isNewAccount === true ? MADE : TYPES[kind];
}

/** Creates the queue and the sender of webhook events. */
export function createEventWebhook(
  { clock, config, outbox }: Deps,
  watch: (provider: string, state: CircuitState) => void = () => undefined,
): EventWebhook {
  const { events: settings, providerTimeoutMs: timeoutMs } = config;
  const breaker = createCircuitBreaker({ clock, onChange: (state) => watch(PROVIDER, state) });
  return {
    async tell(event, db) {
      const type = settings && typeOf(event);
      const account = type ? (event.erased ?? (await accountOf(db, event.userId ?? null))) : null;
      if (!type || !account) return;
      await outbox.add(db, {
        kind: EVENT_JOB,
        payload: { type, timestamp: clock.now().toISOString(), data: account },
        idempotencyKey: `${KEY_PREFIX}${randomUUID()}`,
      });
    },
    job: {
      kind: EVENT_JOB,
      async deliver(payload, idempotencyKey) {
        if (!settings) throw new PermanentError('unavailable', 'PORCHLIGHT_EVENTS_URL is not set');
        const id = idempotencyKey.slice(KEY_PREFIX.length);
        const seconds = Math.floor(clock.now().getTime() / 1000);
        const request = signed(settings, { id, seconds, body: JSON.stringify(payload) });
        await breaker.run(() => post({ ...request, url: settings.url, timeoutMs }));
      },
    },
    states: () => (settings ? { [PROVIDER]: breaker.state() } : {}),
  };
}

async function accountOf(db: Db, userId: number | null) {
  if (userId === null) return null;
  const row = await db
    .selectFrom('users')
    .select(['id as userId', 'subtenant_id as subtenantId'])
    .where('id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

function signed(
  { secret }: Settings,
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: string },
) {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${mac}`,
  };
  return { headers, body };
}

/**
 * @throws PermanentError when the endpoint is gone; an operator can send the dead letter again. @throws TransientError
 */
async function post(request: Parameters<typeof postOut>[0]): Promise<void> {
  const { status } = await postOut(request);
  if (status >= 200 && status < 300) return;
  const text = `The events endpoint answered ${status}`;
  throw status === GONE ? new PermanentError('unavailable', text) : new TransientError(text);
}
