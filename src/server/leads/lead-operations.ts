import { sql } from 'kysely';
import { leadsCommand as texts } from '#locales/operator/leads-command.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { Db } from '../db/database.ts';
import type { Outbox } from '../jobs/outbox.ts';
import { LEAD_JOB } from './leads.ts';
import type { AdminContext } from '../core/context.ts';

/** The lead for an operation: its key, or all of them. */
export const ALL_LEADS = 'all';

export type KeptLead = Awaited<ReturnType<typeof listLeads>>[number];

/** Selects the leads of a house, those of its accounts; `null`: all. */
export const leadsOf = (db: Db, house: number | null) =>
  db.selectFrom('received_leads').$if(house !== null, (query) =>
    query.where(
      sql<boolean>`exists (select from users where subtenant_id = ${house} and shadow_of is null
        and email_canonical = lower(lead ->> 'email'))`,
    ),
  );

/** Returns the leads that were kept while there was no CRM, the oldest first. */
export async function listLeads(
  { db }: Pick<AdminContext, 'db'>,
  {
    offset = 0,
    most,
    house = null,
  }: { readonly offset?: number; readonly most?: number; readonly house?: number | null } = {},
) {
  const rows = await leadsOf(db, house)
    .selectAll()
    .orderBy('received_at')
    .orderBy('idempotency_key')
    .offset(offset)
    .$if(most !== undefined, (query) => query.limit(most ?? 0))
    .execute();
  return rows.map(({ idempotency_key: key, received_at: receivedAt, lead }) => ({
    key,
    receivedAt,
    lead,
  }));
}

async function take(db: Db, key: string) {
  const taken = await db
    .deleteFrom('received_leads')
    .$if(key !== ALL_LEADS, (query) => query.where('idempotency_key', '=', key))
    .returningAll()
    .execute();
  // A job that sends whatever there is does not fail because there is nothing.
  if (taken.length === 0 && key !== ALL_LEADS) throw new OperatorError(texts.nothing);
  return taken;
}

type Sending = Pick<AdminContext, 'db' | 'config' | 'audit'> & {
  readonly outbox: Pick<Outbox, 'add'>;
};

/** Moves leads into the outbox. @returns their number @throws OperatorError without a CRM or such a lead */
export async function resendLeads(
  { db, config, audit, outbox }: Sending,
  key: string,
): Promise<number> {
  if (!config.crm) throw new OperatorError(texts.noCrm);
  return db.transaction().execute(async (transaction) => {
    const taken = await take(transaction, key);
    for (const { idempotency_key: old, lead } of taken) {
      // The first key is used up by the job that brought it here.
      const idempotencyKey = `${old}:resent`;
      await outbox.add(transaction, { kind: LEAD_JOB, payload: lead, idempotencyKey });
    }
    const details = { count: taken.length };
    await audit({ kind: 'leads.resent', details }, transaction);
    return taken.length;
  });
}

/** Deletes leads for good. @returns their number @throws OperatorError without such a lead */
export async function purgeLeads(
  { db, audit }: Pick<AdminContext, 'db' | 'audit'>,
  key: string,
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const details = { count: (await take(transaction, key)).length };
    await audit({ kind: 'leads.purged', details }, transaction);
    return details.count;
  });
}
