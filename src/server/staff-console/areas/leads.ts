import { fill } from '#locales/fill.ts';
import { leadsDesk as texts } from '#locales/operator/console-areas.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import {
  ALL_LEADS,
  leadsOf,
  listLeads,
  purgeLeads,
  resendLeads,
} from '../../leads/lead-operations.ts';
import type { FullContext } from '../../access/context.ts';
import { type DeskArea, type DeskForm, formsOf, operatorsAlone } from '../desk-area.ts';
import { houseOf } from '../staff.ts';

const PATH = consolePath('leads');

/** Creates the operators' pages of leads, over the functions of `porchlight leads`. */
export function leadsArea({ db, config, outbox }: FullContext): DeskArea {
  const purge = (key: string, name: string): DeskForm => ({
    title: fill(texts.purgeTitle, { name }),
    changes: [texts.purgeChanges],
    submit: texts.purge,
    isGrave: true,
    run: ({ admin }) => purgeLeads(admin, key),
  });

  const resend: DeskForm = {
    title: texts.resend,
    changes: [texts.resendChanges],
    submit: texts.resend,
    async run({ admin }) {
      await resendLeads({ ...admin, outbox }, ALL_LEADS);
      outbox.wake();
    },
  };

  return {
    area: 'leads',
    texts: config.crm ? { ...texts.list, lead: texts.leadWithCrm } : texts.list,
    list: {
      links: ({ role }) =>
        role !== 'operator'
          ? []
          : [
              ...(config.crm ? [{ label: texts.resend, href: `${PATH}/resend` }] : []),
              { label: texts.purgeAll, href: `${PATH}/purge` },
            ],
      isPersonal: true,
      async read({ offset, most, staff }) {
        const house = houseOf(staff);
        const found = await listLeads({ db }, { offset, most, house });
        const { count } = await leadsOf(db, house)
          .select((eb) => eb.fn.countAll<string>().as('count'))
          .executeTakeFirstOrThrow();
        const rows = found.map(({ key, receivedAt, lead }) => ({
          id: key,
          cells: [
            String(lead.name),
            String(lead.email),
            String(lead.phone),
            { at: receivedAt.getTime() },
          ],
          actions:
            house === null
              ? [{ label: texts.purge, href: `${PATH}/${encodeURIComponent(key)}/purge` }]
              : [],
        }));
        return { rows, count: Number(count) };
      },
    },
    // To send and to delete them is an operator's.
    form: operatorsAlone(
      formsOf(
        { resend, purge: purge(ALL_LEADS, texts.all) },
        (key) =>
          db
            .selectFrom('received_leads')
            .select(['idempotency_key', 'lead'])
            .where('idempotency_key', '=', key)
            .executeTakeFirst(),
        { purge: ({ idempotency_key: key, lead }) => purge(key, String(lead.name)) },
      ),
    ),
  };
}
