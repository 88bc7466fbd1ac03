import { leadsCommand as texts } from '#locales/operator/leads-command.ts';
import { fill } from '#locales/fill.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { createOutbox } from '#server/jobs/outbox.ts';
import { LEAD_JOB } from '#server/leads/leads.ts';
import { type CommandContext, type CommandOf, type Output, output, table } from './command.ts';

/** `porchlight leads`: leads that were kept while there was no CRM. */
export const leads: CommandOf<'leads'> = {
  list: () => (at) => at.withDatabase(list),
  resend:
    ([key = '']) =>
    (at) =>
      at.withDatabase((context) => resend(context, key)),
  purge:
    ([key = ''], { yes }) =>
    async (at) => {
      if (!yes) throw new OperatorError(texts.confirm);
      return at.withDatabase((context) => purge(context, key));
    },
};

async function list({ db }: CommandContext): Promise<Output> {
  const rows = await db.selectFrom('received_leads').selectAll().orderBy('received_at').execute();
  const data = rows.map(({ idempotency_key: key, received_at: receivedAt, lead }) => ({
    key,
    receivedAt,
    lead,
  }));
  if (data.length === 0) return output([texts.none], data);
  const rowOf = ({ key, receivedAt, lead }: (typeof data)[number]) => [
    key,
    receivedAt.toISOString(),
    String(lead.name),
    String(lead.email),
  ];
  return output(table(texts.header, data.map(rowOf)), data);
}

async function take(db: CommandContext['db'], key: string) {
  const taken = await db
    .deleteFrom('received_leads')
    .$if(key !== 'all', (query) => query.where('idempotency_key', '=', key))
    .returningAll()
    .execute();
  // A job that sends whatever there is does not fail because there is nothing.
  if (taken.length === 0 && key !== 'all') throw new OperatorError(texts.nothing);
  return taken;
}

/** Into the outbox with each; a server that runs sends them. */
async function resend(
  { db, clock, config, secretBox, audit }: CommandContext,
  key: string,
): Promise<Output> {
  if (!config.crm) throw new OperatorError(texts.noCrm);
  const unused = async () => undefined;
  const outbox = createOutbox({ db, clock, secretBox, onError: () => undefined, onDead: unused });
  return db.transaction().execute(async (transaction) => {
    const taken = await take(transaction, key);
    for (const { idempotency_key: old, lead } of taken) {
      // The first key is used up by the job that brought it here.
      const idempotencyKey = `${old}:resent`;
      await outbox.add(transaction, { kind: LEAD_JOB, payload: lead, idempotencyKey });
    }
    const data = { count: taken.length };
    await audit({ kind: 'leads.resent', details: data }, transaction);
    return output([fill(texts.resent, data)], data);
  });
}

async function purge({ db, audit }: CommandContext, key: string): Promise<Output> {
  return db.transaction().execute(async (transaction) => {
    const data = { count: (await take(transaction, key)).length };
    await audit({ kind: 'leads.purged', details: data }, transaction);
    return output([fill(texts.purged, data)], data);
  });
}
