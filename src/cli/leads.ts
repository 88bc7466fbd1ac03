import { leadsCommand as texts } from '#locales/operator/leads-command.ts';
import { fill } from '#locales/fill.ts';
import {
  type KeptLead,
  listLeads,
  purgeLeads,
  resendLeads,
} from '#server/leads/lead-operations.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { type CommandOf, tableLines, onDatabase, type Output, output } from './command.ts';

/** `porchlight leads`: leads that were kept while there was no CRM. */
export const leads: CommandOf<'leads'> = {
  list: () =>
    onDatabase(async (context) =>
      tableLines(await listLeads(context), texts.header, leadCells, texts.none),
    ),

  resend: ([key = '']) =>
    onDatabase(async (context) => counted(texts.resent, await resendLeads(context, key))),

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

const leadCells = ({ key, receivedAt, lead }: KeptLead) => [
  key,
  receivedAt.toISOString(),
  String(lead.name),
  String(lead.email),
];
