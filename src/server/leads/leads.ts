import type { PersonalData } from '../accounts/account-store.ts';
import type { Db } from '../db/database.ts';
import { isFinalRefusal, postOut } from '../http/outbound.ts';
import { type CircuitState, createCircuitBreaker } from '../jobs/circuit-breaker.ts';
import { TransientError, PermanentError } from '../jobs/errors.ts';
import type { JobDefinition } from '../jobs/job.ts';
import type { ServerContext } from '../core/context.ts';
import { wholeNumber } from '../accounts/phone-text.ts';

export type Leads = ReturnType<typeof createLeads>;

const PROVIDER = 'crm';
export const LEAD_JOB = 'lead';
const DEFAULT_TAG = 'free academy user';

/** Leads go from the server, with the key from the configuration; in a demo the built-in sink receives them. */
export function createLeads(
  { db, clock, config, outbox }: ServerContext,
  watch: (provider: string, state: CircuitState) => void,
) {
  const { crm } = config;
  const breaker = createCircuitBreaker({ clock, onChange: (state) => watch(PROVIDER, state) });
  return {
    /** Queues one lead in the transaction of its cause (API-03); the same cause never makes two. */
    async capture(transaction: Db, person: PersonalData, cause: string): Promise<void> {
      // The lead-capture contact (DAT-10): phone is dial code and number, `name` both names.
      const contact = {
        email: person.email,
        phone: wholeNumber(person),
        firstName: person.first_name,
        lastName: person.last_name,
        name: `${person.first_name} ${person.last_name}`,
        tags: [crm?.tag ?? DEFAULT_TAG],
      };
      const idempotencyKey = `lead:${cause}`;
      await outbox.add(transaction, { kind: LEAD_JOB, payload: contact, idempotencyKey });
    },
    /** Sends the contact to the CRM. */
    job: {
      kind: LEAD_JOB,
      async deliver(payload, idempotencyKey) {
        if (crm) {
          const at = { ...crm, timeoutMs: config.providerTimeoutMs };
          return breaker.run(() => post(at, payload, idempotencyKey));
        }
        const lead = { lead: JSON.stringify(payload), received_at: clock.now() };
        await db
          .insertInto('received_leads')
          .values({ idempotency_key: idempotencyKey, ...lead })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      },
    } satisfies JobDefinition,
    states: (): Readonly<Record<string, CircuitState>> =>
      crm ? { [PROVIDER]: breaker.state() } : {},
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
