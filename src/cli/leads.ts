import { leadsCommand as texts } from '#locales/operator/leads-command.ts';
import { fill } from '#locales/fill.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { createOutbox } from '#server/jobs/outbox.ts';
import { LEAD_JOB } from '#server/leads/leads.ts';
import {
  type Command,
  type CommandContext,
  type Output,
  output,
  readWords,
  wrongUsage,
} from './command.ts';

/** `porchlight leads list | resend KEY|all | purge KEY|all --yes`: leads that were kept while there was no CRM. */
export const leads: Command = (words) => {
  const { values, positionals } = readWords(words, { yes: { type: 'boolean' } }, 'leads');
  const [verb = '', key, ...rest] = positionals;
  const isList = verb === 'list' && key === undefined && values.yes === undefined;
  const isResend = verb === 'resend' && key !== undefined && values.yes === undefined;
  const isPurge = verb === 'purge' && key !== undefined;
  if (rest.length > 0 || !(isList || isResend || isPurge)) throw wrongUsage('leads');
  return (at) =>
    at.withDatabase((context) => {
      if (key === undefined) return list(context);
      if (isResend) return resend(context, key);
      if (!values.yes) throw new OperatorError(texts.confirm);
      return purge(context, key);
    });
};

async function list({ db }: CommandContext): Promise<Output> {
  const rows = await db.selectFrom('received_leads').selectAll().orderBy('received_at').execute();
  const data = rows.map(({ idempotency_key: key, received_at: receivedAt, lead }) => ({
    key,
    receivedAt,
    lead,
  }));
  if (data.length === 0) return output([texts.none], data);
  return output(
    data.map(({ key, receivedAt, lead }) =>
      [key, receivedAt.toISOString(), lead.name, lead.email].join('\t'),
    ),
    data,
  );
}

async function take(db: CommandContext['db'], key: string) {
  const taken = await db
    .deleteFrom('received_leads')
    .$if(key !== 'all', (query) => query.where('idempotency_key', '=', key))
    .returningAll()
    .execute();
  if (taken.length === 0) throw new OperatorError(texts.nothing);
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
