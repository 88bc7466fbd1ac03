import type { Db } from '../db/database.ts';
import type { Kit } from '../kit.ts';

/** The lead-capture contact (seed section 3): phone is dial code and number, `name` both names. */
export type Contact = {
  readonly email: string;
  readonly phone: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly name: string;
  readonly tags: readonly string[];
};

type Person = {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly dial_code: string;
  readonly mobile: string;
};

export type Leads = {
  /** Queues one lead in the transaction of its cause (API-03); the same cause never makes two. */
  capture(db: Db, person: Person, cause: string): Promise<void>;
  /** The worker's side: sends the contact on. */
  deliver(payload: Record<string, unknown>, idempotencyKey: string): Promise<void>;
};

const TIMEOUT_MS = 5000;
const DEFAULT_TAG = 'free academy user';

/** Leads go from the server, with the key from the configuration; in a demo the built-in sink receives them. */
export function createLeads({ db, clock, config, outbox }: Kit): Leads {
  return {
    async capture(transaction, person, cause) {
      const contact: Contact = {
        email: person.email,
        phone: `${person.dial_code}${person.mobile}`,
        firstName: person.first_name,
        lastName: person.last_name,
        name: `${person.first_name} ${person.last_name}`,
        tags: [config.crm?.tag ?? DEFAULT_TAG],
      };
      await outbox.add(transaction, {
        kind: 'lead',
        payload: contact,
        idempotencyKey: `lead:${cause}`,
      });
    },
    async deliver(payload, idempotencyKey) {
      if (config.crm) return post(config.crm, payload, idempotencyKey);
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
  };
}

async function post(
  crm: { readonly url: string; readonly key: string },
  payload: Record<string, unknown>,
  idempotencyKey: string,
): Promise<void> {
  const response = await fetch(crm.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${crm.key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(payload),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`The lead endpoint answered ${response.status}`);
}
