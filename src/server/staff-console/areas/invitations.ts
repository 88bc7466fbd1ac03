import type { ListRow } from '#contract/console.ts';
import { mayInvite } from '#domain/help-desk/console-verbs.ts';
import { isRoleId, roleName } from '#domain/people/roles.ts';
import { fill } from '#locales/fill.ts';
import { invitationsDesk as texts } from '#locales/operator/house-desk.ts';
import { auditDesk } from '#locales/operator/figures.ts';
import type { FullContext } from '../../access/context.ts';
import {
  holdSender,
  senderOf,
  waitingInvitations,
  withdrawInvitation,
} from '../../people/invitations.ts';
import { type DeskArea, type DeskForm, formsOf, pageOf } from '../desk-area.ts';
import { linkTo } from '../form-fields.ts';
import { inviteListed } from '../people/verbs.ts';
import { houseOf, type Staff } from '../staff.ts';

type Row = Awaited<ReturnType<typeof waitingInvitations>>[number];

/** Creates the pages of the invitations that wait: those of the own house, for operators of all. */
export function invitationsArea(context: FullContext): DeskArea {
  const { db, config } = context;

  /** Staff with the right to invite for its role send it anew; operators may take each one back. */
  const isOwn = ({ role_id: role, subtenant_id: house }: Row, staff: Staff) =>
    house === staff.subtenantId && isRoleId(role) && mayInvite(staff, role, config.console);
  const mayEnd = (row: Row, staff: Staff) => staff.role === 'operator' || isOwn(row, staff);

  async function rowOf(row: Row, staff: Staff): Promise<ListRow> {
    const { id, role_id: role } = row;
    const sender = await senderOf(context, row.sent_by);
    // A house knows its operators by no name (HOU-07).
    const isNamed = staff.role === 'operator' || sender?.role !== 'operator';
    return {
      id: String(id),
      cells: [
        nameOf(row),
        row.email,
        isRoleId(role) ? roleName(role) : String(role),
        isNamed ? `${row.senderFirst} ${row.senderLast}`.trim() : auditDesk.anOperator,
        { at: row.expires_at.getTime() },
      ],
      actions: [
        ...(isOwn(row, staff) ? [linkTo(texts.resend, 'invitations', id, 'resend')] : []),
        ...(mayEnd(row, staff) ? [linkTo(texts.withdraw, 'invitations', id, 'withdraw')] : []),
      ],
    };
  }

  function resend(row: Row, staff: Staff): DeskForm | null {
    const { email, first_name: firstName, last_name: lastName, role_id: roleId } = row;
    if (!isOwn(row, staff) || !isRoleId(roleId)) return null;
    return {
      title: fill(texts.resendTitle, { name: nameOf(row) }),
      changes: [texts.resendChanges],
      submit: texts.resend,
      async run({ admin }) {
        const invited = { email, firstName, lastName, roleId };
        await inviteListed(context, staff, invited, (at) => ({ ...admin, db: at }));
      },
    };
  }

  function withdraw(row: Row, staff: Staff): DeskForm | null {
    if (!mayEnd(row, staff)) return null;
    return {
      title: fill(texts.withdrawTitle, { name: nameOf(row) }),
      changes: [texts.withdrawChanges],
      submit: texts.withdraw,
      isGrave: true,
      async run({ admin }) {
        await db.transaction().execute(async (transaction) => {
          await holdSender(transaction, staff.id, staff.subtenantId);
          await withdrawInvitation({ ...admin, db: transaction }, row);
        });
      },
    };
  }

  return {
    area: 'invitations',
    texts: texts.list,
    list: {
      isPersonal: true,
      links: () => [linkTo(texts.invite, 'invite')],
      async read(asked) {
        const rows = await waitingInvitations(context, houseOf(asked.staff));
        return pageOf(await Promise.all(rows.map((row) => rowOf(row, asked.staff))), asked);
      },
    },
    form: formsOf(
      {},
      async (id, staff) =>
        (await waitingInvitations(context, houseOf(staff))).find((row) => String(row.id) === id),
      { resend, withdraw },
    ),
  };
}

const nameOf = ({ first_name: first, last_name: last }: Row) => `${first} ${last}`.trim();
