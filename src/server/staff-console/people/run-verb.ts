import type { CallerCheck } from '#contract/console.ts';
import type { ConsoleVerb } from '#domain/help-desk/console-rights.ts';
import { OTP_MEDIUM } from '#domain/proofs/otp.ts';
import type { RoleId } from '#domain/people/roles.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import { mailUndoLink } from '../../contacts/change-contact.ts';
import {
  changeRoles,
  invite,
  inviteNew,
  mailReset,
  type NewPerson,
  setSuspended,
} from '../../administration/people.ts';
import { erasePerson } from '../../administration/privacy/erase.ts';
import { exportPerson, type PersonalExport } from '../../administration/privacy/export.ts';
import {
  agreeToChange,
  askStaffChange,
  stopChange,
  type WantedChange,
} from '../../contacts/staff-changes.ts';
import { signOut } from '../../administration/sessions.ts';
import { unlockAccount } from '../../administration/unlock.ts';
import type { Audit } from '../../audit/audit.ts';
import { later } from '../../clock.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import type { AdminContext, ServerContext } from '../../context.ts';
import { randomId } from '../../crypto/secret-box.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import type { Notifications } from '../../notifications/notifications.ts';
import type { Otps } from '../../otp/otp-ports.ts';
import type { Recipients } from '../../otp/recipients.ts';
import { PENDING_LIFE_MS } from '../../sign-in/session-lifetime.ts';
import type { ActivationLinks } from '../../sign-up/activation-link-ports.ts';
import { actorOf } from '../looks.ts';
import type { Person } from './person.ts';
import type { Staff } from '../staff.ts';
import { queueNotice } from './tell.ts';

/** How the staff member knows the caller; `note` says more where no ready answer fits. */
export type Reason = { readonly how: CallerCheck; readonly note: string };

export type RunPorts = {
  readonly notifications: Notifications;
  readonly otps: Pick<Otps, 'resend'>;
  readonly recipients: Recipients;
  readonly links: Pick<ActivationLinks, 'forPending'>;
};

type Asked = {
  readonly staff: Staff;
  readonly ip: string;
  readonly reason: Reason;
  readonly role: RoleId | null;
  /** The change of a way in, for the verbs that ask for one. */
  readonly wanted: WantedChange | null;
};

/** Verbs with a way of their own: a look is no change, and the others answer with something. */
type OwnWay = 'look' | 'resend' | 'invite' | 'export';
type ActVerb = Exclude<ConsoleVerb, OwnWay>;

/** Runs one operation of `administration/`. @returns `false` when another request did it first */
type Act = (
  admin: AdminContext & Pick<RunPorts, 'notifications'>,
  account: Person['account'],
  asked: Asked,
) => Promise<unknown>;

const byStaff = ({ staff, reason }: Asked) => ({
  staffId: staff.id,
  isOperator: staff.role === 'operator',
  isPersonHere: reason.how === 'here',
});
const rolesIn = ({ role }: Asked) => (role === null ? [] : [role]);
const askChange: Act = async (admin, account, asked) => {
  if (!asked.wanted) throw new AppError('BAD_REQUEST');
  return askStaffChange(admin, account, asked.wanted, byStaff(asked));
};

const ACTS: Readonly<Record<ActVerb, Act>> = {
  mailReset,
  unlock: (admin, { id }) => unlockAccount(admin, id),
  endSessions: (admin, account) => signOut(admin, account, null),
  suspend: (admin, { id }) => setSuspended(admin, id, true),
  resume: (admin, { id }) => setSuspended(admin, id, false),
  giveRole: (admin, { id }, asked) => changeRoles(admin, id, { give: rolesIn(asked), take: [] }),
  takeRole: (admin, { id }, asked) => changeRoles(admin, id, { give: [], take: rolesIn(asked) }),
  erase: (admin, { id }) => erasePerson(admin, id),
  correctEmail: askChange,
  correctPhone: askChange,
  removeKey: askChange,
  removeAppCode: askChange,
  agree: (admin, account, asked) => agreeToChange(admin, account, byStaff(asked)),
  stopChange: (admin, { id }) => stopChange(admin, id),
  mailUndo: mailUndoLink,
};
const isAct = (verb: ConsoleVerb): verb is ActVerb => verb in ACTS;

/** Creates the runner of verbs: each is one operation of `administration/`, with one event that has the reason. */
export function createRunVerb(
  context: ServerContext,
  { notifications, otps, recipients, links }: RunPorts,
) {
  const { db, clock, rateLimits, outbox } = context;

  /** The context of `administration/` whose events name the staff member and the reason. */
  function adminOf(transaction: Db, { staff, reason }: Pick<Asked, 'staff' | 'reason'>) {
    const audit: Audit = (event, at) =>
      context.audit(
        {
          ...event,
          actor: actorOf(staff),
          details: { ...event.details, how: reason.how, ...(reason.note && { note: reason.note }) },
        },
        at,
      );
    return { ...context, db: transaction, audit } satisfies AdminContext;
  }

  /** Sends the waiting message again. @throws AppError TOO_SOON, TOO_MANY */
  async function resend({ account, resendable }: Person, asked: Asked): Promise<void> {
    const { staff, ip } = asked;
    if (resendable === 'code') {
      const waiting = await waitingVisit(account.id);
      if (!waiting) throw new AppError('FORBIDDEN');
      const recipient = await recipients.find('TWOFACTORAUTHENTICATION', account.id, waiting);
      await otps.resend(recipient, OTP_MEDIUM.both, { visit: waiting, ip });
    } else {
      await rateLimits.consume([RATE_LIMITS.resetPerAccount, canonicalEmail(account.email)]);
    }
    await db.transaction().execute(async (transaction) => {
      const admin = adminOf(transaction, asked);
      if (resendable === 'invitation') return invite(admin, account);
      if (resendable === 'signUp') {
        const form = await links.forPending(transaction, account.id, staff.visit);
        if (!form) throw new AppError('FORBIDDEN');
        await notifications.activationLink(transaction, form, form.url, randomId());
      }
      await admin.audit(
        { kind: 'console.resent', userId: account.id, details: { what: resendable } },
        transaction,
      );
    });
  }

  /** Returns the person's browser that waits for a code. */
  async function waitingVisit(userId: number) {
    const row = await db
      .selectFrom('sign_ins')
      .innerJoin('visits', 'visits.id', 'sign_ins.visit_id')
      .select(['visits.id', 'visits.subtenant_id'])
      .where('sign_ins.user_id', '=', userId)
      .where('sign_ins.stage', '=', 'otp')
      .where('sign_ins.created_at', '>', later(clock.now(), -PENDING_LIFE_MS))
      .orderBy('sign_ins.created_at', 'desc')
      .executeTakeFirst();
    return row && { id: row.id, subtenantId: row.subtenant_id };
  }

  return {
    /** Runs a verb that was offered. @throws AppError TOO_SOON, TOO_MANY, FORBIDDEN */
    async run(verb: ConsoleVerb, person: Person, asked: Asked): Promise<void> {
      const { account } = person;
      if (verb === 'resend') await resend(person, asked);
      else if (!isAct(verb)) throw new AppError('BAD_REQUEST');
      else {
        if (verb === 'mailReset' || verb === 'mailUndo') {
          await rateLimits.consume([RATE_LIMITS.resetPerAccount, canonicalEmail(account.email)]);
        }
        await db.transaction().execute(async (transaction) => {
          const admin = { ...adminOf(transaction, asked), notifications };
          const isDone = (await ACTS[verb](admin, account, asked)) !== false;
          // An erased account gets no mail, and no mail is sent about a person who has died.
          const isNobodyThere = verb === 'erase' || asked.reason.how === 'died';
          if (!isDone || isNobodyThere) return;
          const told = { account, role: asked.role, cause: randomId() };
          await queueNotice(notifications, transaction, verb, told);
        });
      }
      outbox.wake();
    },

    /** Exports the data of a person. */
    exportData: (person: Person, asked: Asked): Promise<PersonalExport | null> =>
      db
        .transaction()
        .execute((transaction) => exportPerson(adminOf(transaction, asked), person.account.id)),

    /** Adds a person and mails the link that sets the first password. @returns `null` when the address has an account */
    async add(person: NewPerson, asked: Pick<Asked, 'staff' | 'reason'>): Promise<number | null> {
      const account = await db
        .transaction()
        .execute((transaction) => inviteNew(adminOf(transaction, asked), person));
      outbox.wake();
      return account?.id ?? null;
    },
  };
}
