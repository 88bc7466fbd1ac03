import { leadsCommand as texts } from '#locales/operator/leads-command.ts';
import { fill } from '#locales/fill.ts';
import { listLeads, purgeLeads, resendLeads } from '#server/leads/lead-operations.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { createOutbox } from '#server/jobs/outbox.ts';
import { type CommandContext, type CommandOf, type Output, output, table } from './command.ts';
import { onDatabase } from './on-database.ts';

/** `porchlight leads`: leads that were kept while there was no CRM. */
export const leads: CommandOf<'leads'> = {
  list: () => onDatabase(list),
  resend: ([key = '']) => onDatabase((context) => resend(context, key)),
  purge:
    ([key = ''], { yes }) =>
    async (at) => {
      if (!yes) throw new OperatorError(texts.confirm);
      return at.withDatabase(async (context) =>
        counted(texts.purged, await purgeLeads(context, key)),
      );
    },
};

const counted = (said: string, count: number): Output => output([fill(said, { count })], { count });

async function list(context: CommandContext): Promise<Output> {
  const data = await listLeads(context);
  if (data.length === 0) return output([texts.none], data);
  const rowOf = ({ key, receivedAt, lead }: (typeof data)[number]) => [
    key,
    receivedAt.toISOString(),
    String(lead.name),
    String(lead.email),
  ];
  return output(table(texts.header, data.map(rowOf)), data);
}

/** Into the outbox with each; a server that runs sends them. */
async function resend(context: CommandContext, key: string): Promise<Output> {
  const { db, clock, secretBox } = context;
  const unused = async () => undefined;
  const outbox = createOutbox({ db, clock, secretBox, onError: () => undefined, onDead: unused });
  return counted(texts.resent, await resendLeads({ ...context, outbox }, key));
}
