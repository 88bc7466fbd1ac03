import type { PersonalData } from '../accounts/account-store.ts';
import type { Db } from '../db/database.ts';
import { isFinalRefusal, postOut } from '../http/outbound.ts';
import { type CircuitState, createCircuitBreaker } from '../jobs/circuit-breaker.ts';
import { TransientError, PermanentError } from '../jobs/errors.ts';
import type { JobDefinition } from '../jobs/job.ts';
import type { ServerContext } from '../core/context.ts';

/** The lead-capture contact (DAT-10): phone is dial code and number, `name` both names. */
export type Contact = {
  readonly email: string;
  readonly phone: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly name: string;
  readonly tags: readonly string[];
};

export type Leads = {
  /** Queues one lead in the transaction of its cause (API-03); the same cause never makes two. */
  capture(db: Db, person: PersonalData, cause: string): Promise<void>;
  /** Sends the contact to the CRM. */
  readonly job: JobDefinition;
  states(): Readonly<Record<string, CircuitState>>;
};

const PROVIDER = 'crm';
export const LEAD_JOB = 'lead';
const DEFAULT_TAG = 'free academy user';

/** Leads go from the server, with the key from the configuration; in a demo the built-in sink receives them. */
export function createLeads(
  { db, clock, config, outbox }: ServerContext,
  watch: (provider: string, state: CircuitState) => void,
): Leads {
  const { crm } = config;
  const breaker = createCircuitBreaker({ clock, onChange: (state) => watch(PROVIDER, state) });
  return {
    async capture(transaction, person, cause) {
      const contact: Contact = {
        email: person.email,
        phone: `${person.dial_code}${person.mobile}`,
        firstName: person.first_name,
        lastName: person.last_name,
        name: `${person.first_name} ${person.last_name}`,
        tags: [crm?.tag ?? DEFAULT_TAG],
      };
      await outbox.add(transaction, {
        kind: LEAD_JOB,
        payload: contact,
        idempotencyKey: `lead:${cause}`,
      });
    },
    job: {
      kind: LEAD_JOB,
      async deliver(payload, idempotencyKey) {
        if (crm)
          return breaker.run(() =>
            post({ ...crm, timeoutMs: config.providerTimeoutMs }, payload, idempotencyKey),
          );
        await db
          .insertInto('received_leads')
          .values({
            idempotency_key: idempotencyKey,
            lead: JSON.stringify(payload),
            received_at: clock.now(),
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      },
    },
    states: () => (crm ? { [PROVIDER]: breaker.state() } : {}),
  };
}

/** @throws PermanentError for good: an operator can send the dead letter again. @throws TransientError for another try. */
async function post(
  crm: { readonly url: string; readonly key: string; readonly timeoutMs: number },
  payload: Record<string, unknown>,
  idempotencyKey: string,
): Promise<void> {
  const { status } = await postOut({
    url: crm.url,
    headers: {
      authorization: `Bearer ${crm.key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(payload),
    timeoutMs: crm.timeoutMs,
  });
  if (status >= 200 && status < 300) return;
  const text = `The lead endpoint answered ${status}`;
  throw isFinalRefusal(status) ? new PermanentError('unavailable', text) : new TransientError(text);
}
