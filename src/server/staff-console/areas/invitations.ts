import type { ListRow } from '#contract/console.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { mayInvite } from '#domain/help-desk/console-verbs.ts';
import { isRoleId, ROLES } from '#domain/people/roles.ts';
import { fill } from '#locales/fill.ts';
import { invitationsDesk as texts } from '#locales/operator/house-desk.ts';
import type { FullContext } from '../../access/context.ts';
import { endInvitation, holdSender, waitingInvitations } from '../../people/invitations.ts';
import { type DeskArea, type DeskForm, formsOf, pageOf } from '../desk-area.ts';
import { countInvitation, inviteListed } from '../people/verbs.ts';
import { houseOf, type Staff } from '../staff.ts';

type Row = Awaited<ReturnType<typeof waitingInvitations>>[number];

/** Creates the pages of the invitations that wait: those of the own house, for operators of all. */
export function invitationsArea(context: FullContext): DeskArea {
  const { db, config, outbox } = context;

  /** Sent anew by whoever may invite for its role; taken back by operators, too. */
  const isOwn = ({ role_id: role, subtenant_id: house }: Row, staff: Staff) =>
    house === staff.subtenantId && isRoleId(role) && mayInvite(staff, role, config.console);
  const mayEnd = (row: Row, staff: Staff) => staff.role === 'operator' || isOwn(row, staff);

  function rowOf(row: Row, staff: Staff): ListRow {
    const { role_id: role } = row;
    const own = consolePath('invitations', row.id);
    return {
      id: String(row.id),
      cells: [
        nameOf(row),
        row.email,
        isRoleId(role) ? `${role} ${ROLES[role].key}` : String(role),
        `${row.senderFirst} ${row.senderLast}`.trim(),
        { at: row.expires_at.getTime() },
      ],
      actions: [
        ...(isOwn(row, staff) ? [{ label: texts.resend, href: `${own}/resend` }] : []),
        ...(mayEnd(row, staff) ? [{ label: texts.withdraw, href: `${own}/withdraw` }] : []),
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
        await countInvitation(context, staff, row);
        await db.transaction().execute((transaction) =>
          inviteListed({ ...admin, db: transaction }, staff, {
            email,
            firstName,
            lastName,
            roleId,
          }),
        );
        outbox.wake();
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
          await holdSender(transaction, { sent_by: staff.id, subtenant_id: staff.subtenantId });
          await endInvitation({ ...admin, db: transaction }, row, 'invitation.withdrawn');
        });
      },
    };
  }

  return {
    area: 'invitations',
    texts: texts.list,
    list: {
      isPersonal: true,
      links: () => [{ label: texts.invite, href: consolePath('invite') }],
      async read(asked) {
        const rows = await waitingInvitations(context, houseOf(asked.staff));
        return pageOf(
          rows.map((row) => rowOf(row, asked.staff)),
          asked,
        );
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
