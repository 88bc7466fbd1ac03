/** What each verb of the console does on a person: the fields of its form, its deed, and the mail about it. */

import type { CallerCheck, FormField } from '#contract/console.ts';
import type { Outcome } from '#domain/help-desk/outcome.ts';
import { consoleRoleBy, mayHandle } from '#domain/help-desk/console-rights.ts';
import type { ConsoleVerb, Resendable } from '#domain/help-desk/console-verbs.ts';
import { maskEmail, OTP_COUNTDOWN_MS, OTP_MEDIUM } from '#domain/proofs/otp.ts';
import type { RoleId } from '#domain/people/roles.ts';
import { phoneExtension } from '#domain/typed/phone.ts';
import { canonicalEmail, EMAIL_RULE, isEmail } from '#domain/typed/validation.ts';
import { textsIn } from '#locales/catalogue.ts';
import { fill } from '#locales/fill.ts';
import { ORIGINAL } from '#locales/languages.ts';
import { consoleTexts as texts } from '#locales/operator/console.ts';
import type { AccountChange } from '#texts/account-mails.ts';
import { fields as fieldTexts } from '#texts/fields.ts';
import { openChanges } from '../../accounts/contact-changes.ts';
import type { NoticeAccount } from '../../accounts/notice-readers.ts';
import { readWholePhone } from '../../accounts/phone-number.ts';
import { AGREED_WAIT_MS } from '../../accounts/staff-change-store.ts';
import { houseRolesOf } from '../../people/house.ts';
import { tellOperators } from '../../people/house-notes.ts';
import { type Invited, sendInvitation } from '../../people/invitations.ts';
import { changeRoles, invite, mailReset, setSuspended } from '../../people/people.ts';
import { erasePerson } from '../../people/privacy/erase.ts';
import { exportPerson } from '../../people/privacy/export.ts';
import { signOut } from '../../access/sessions.ts';
import { unlockAccount } from '../../access/unlock.ts';
import { later } from '../../core/clock.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import { mailUndoLink } from '../../contacts/change-contact.ts';
import {
  agreeToChange,
  askStaffChange,
  stopChange,
  type WantedChange,
} from '../../contacts/staff-changes.ts';
import type { ServerContext } from '../../core/context.ts';
import type { DeedContext, FullContext } from '../../access/context.ts';
import { randomId } from '../../crypto/secret-box.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import type { MailRecipient, Notifications } from '../../notifications/notifications.ts';
import { roleWords } from '../../notifications/role-words.ts';
import type { Otps } from '../../proofs/otp/otp-ports.ts';
import type { Recipients } from '../../proofs/otp/recipients.ts';
import { PENDING_LIFE_MS } from '../../sign-in/session-lifetime.ts';
import type { ActivationLinks } from '../../sign-up/activation-links.ts';
import { field, FieldProblems, optionsOf, type Typed } from '../form-fields.ts';
import { requireStrong, type Staff, staffActor } from '../staff.ts';
import type { Person } from './person.ts';

/** How the staff member knows the caller; `note` says more where no ready answer fits. */
export type Reason = { readonly how: CallerCheck; readonly note: string };

export type VerbPorts = {
  readonly otps: Pick<Otps, 'resend'>;
  readonly recipients: Recipients;
  readonly links: Pick<ActivationLinks, 'forPending'>;
};

/** A verb that was offered on a person, and asked for. */
export type VerbRun = VerbPorts & {
  readonly context: FullContext;
  readonly person: Person;
  readonly staff: Staff;
  readonly ip: string;
  readonly reason: Reason;
  /** Runs an operation in one transaction, and queues the notice of the verb in it if it did something. */
  readonly transact: (work: (admin: DeedContext) => Promise<Did>) => Promise<Did>;
};

/** What a verb did; one that changes nothing may give a file. */
export type Did = Outcome | { readonly file: string; readonly name: string };

/** A mail to the person, with a made-up link. */
type MailPreview = {
  readonly notifications: Notifications;
  readonly db: Db;
  readonly now: Date;
  readonly account: NoticeAccount;
  readonly to: MailRecipient;
  readonly link: string;
  readonly resendable: Resendable | null;
};

type Act = (run: VerbRun) => Promise<Did>;

export type Verb = {
  /** What the form asks for beside how the staff member knows the caller. */
  readonly fields?: (person: Person, roleHint?: string) => readonly FormField[];
  /**
   * Reads the fields, and returns what the verb does with them.
   * @throws FieldProblems; the deed AppError TOO_SOON, TOO_MANY, FORBIDDEN, CONFLICT
   */
  readonly deed: (typed: Typed, person: Person) => Act | Promise<Act>;
  /** The mail that says what was done. */
  readonly notice?: AccountChange;
  /** Writes the mail that the deed itself sends: the form shows it before. */
  readonly mail?: (preview: MailPreview) => Promise<void>;
};

type Operation = (admin: DeedContext, account: Person['account'], run: VerbRun) => Promise<Did>;

const operation =
  (work: Operation): Act =>
  (run) =>
    run.transact((admin) => work(admin, run.person.account, run));

/** Returns the outcome of an operation that says how many things it ended, or `null` for no such account. */
const counted = (ended: number | null): Outcome => (ended ? 'done' : 'already');

/** Within the limit of links that one account gets. */
const withinMailLimit =
  (act: Act): Act =>
  async (run) => {
    await countMail(run);
    return act(run);
  };
/** Within the number of people whom one staff member switches off in an hour; operators are told of the next (HOU-05). */
const withinSuspends =
  (act: Act): Act =>
  async (run) => {
    const { context, staff } = run;
    if (staff.role === 'operator') return act(run);
    const use = [RATE_LIMITS.suspendsPerStaff, String(staff.id)] as const;
    if (!(await context.rateLimits.isWithin(use))) {
      await tellOfSuspends(run);
      throw new FieldProblems({ form: texts.suspendsFull });
    }
    const did = await act(run).catch(async (error: unknown) => {
      await context.rateLimits.release(use);
      throw error;
    });
    if (did === 'already') await context.rateLimits.release(use);
    return did;
  };

async function tellOfSuspends({ context, staff, person }: VerbRun): Promise<void> {
  const { db, rateLimits, audit, outbox } = context;
  if (!(await rateLimits.isWithin([RATE_LIMITS.suspendsAlarm, String(staff.id)]))) return;
  await audit({ kind: 'console.manySuspends', userId: staff.id, actor: staffActor(staff) });
  const { subject, line, look } = texts.suspendsFullNote;
  const words = { name: staff.name, house: person.account.subtenant_id };
  const note = { subject, lines: [fill(line, words), fill(look, words)] };
  await tellOperators(context, db, note, `suspends:${randomId()}`);
  outbox.wake();
}

/** Asks again, where a role of the house's list is given: is it still there, and does the proof do? @throws FieldProblems */
async function requireListed(
  { db, clock, config }: DeedContext,
  staff: Staff,
  role: RoleId,
  house: number,
): Promise<void> {
  if (staff.role !== 'administrator') return;
  const houseRoles = await houseRolesOf(db, house);
  if (!mayHandle({ ...staff, houseRoles }, role, house, config.console)) {
    throw new FieldProblems({ role: texts.roleProblem });
  }
  if (consoleRoleBy(role, house, config.console) !== null) {
    await requireStrong({ db, clock }, staff);
  }
}

/**
 * Invites, or sends an invitation again, with a role that may be given before and at the end. One that is refused for its
 * role or proof is not counted.
 * @throws FieldProblems
 */
export async function inviteListed(
  context: FullContext,
  staff: Staff,
  invited: Invited,
  adminOf: (transaction: Db) => DeedContext,
): Promise<void> {
  const { subtenantId } = staff;
  await requireListed(context, staff, invited.roleId, subtenantId);
  await countInvitation(context, staff, { email: invited.email, subtenant_id: subtenantId });
  await context.db.transaction().execute(async (transaction) => {
    const admin = adminOf(transaction);
    if (!(await sendInvitation(admin, staff, invited))) {
      throw new FieldProblems({ form: texts.invitationsFull.waiting });
    }
    await requireListed(admin, staff, invited.roleId, subtenantId);
  });
  context.outbox.wake();
}

/** Counts an invitation, or its resend (CON-50). @throws FieldProblems with the limit that refuses, in words */
export async function countInvitation(
  { rateLimits }: Pick<ServerContext, 'rateLimits'>,
  staff: Pick<Staff, 'id'>,
  { email, subtenant_id: house }: Pick<Person['account'], 'email' | 'subtenant_id'>,
): Promise<void> {
  try {
    await rateLimits.consume(
      [RATE_LIMITS.invitePerStaff, String(staff.id)],
      [RATE_LIMITS.invitePerHouseADay, String(house)],
      [RATE_LIMITS.invitePerMailboxAWeek, canonicalEmail(email)],
    );
  } catch (error) {
    const limit = error instanceof AppError ? error.details.limit : undefined;
    const words = Object.entries(texts.invitationsFull).find(([name]) => name === limit)?.[1];
    if (words === undefined) throw error;
    throw new FieldProblems({ form: words });
  }
}

const countMail = ({ context, person: { account } }: VerbRun) =>
  context.rateLimits.consume([RATE_LIMITS.resetPerAccount, canonicalEmail(account.email)]);

/** Asks for the change of a way in, which the person or time proves. */
const asks = (wanted: WantedChange): Act =>
  operation((admin, account, run) => askStaffChange(admin, account, wanted, byStaff(run)));

const byStaff = ({ staff, reason }: VerbRun) => ({
  staffId: staff.id,
  isOperator: staff.role === 'operator',
  isPersonHere: reason.how === 'here',
});

/** Reads the field of a role. @throws FieldProblems */
export function typedRole({ role: typed = '' }: Typed, roles: readonly RoleId[]): RoleId {
  const role = roles.find((each) => String(each) === typed);
  if (role === undefined) throw new FieldProblems({ role: texts.roleProblem });
  return role;
}

/** Reads an address. @throws FieldProblems */
export function typedEmail({ email: typed = '' }: Typed): string {
  const email = EMAIL_RULE.normalize(typed);
  if (!isEmail(email)) throw new FieldProblems({ email: fieldTexts.emailInvalid });
  return email;
}

/** Reads a whole number. @throws FieldProblems */
async function typedPhone({ phone: typed = '' }: Typed): Promise<string> {
  const phone = await readWholePhone(typed);
  if (phone !== null) return phone;
  const problem = phoneExtension(typed) ? fieldTexts.phoneExtension : texts.phoneProblem;
  throw new FieldProblems({ phone: problem });
}

export const EMAIL_FIELD = field('text', 'email', texts.email, {
  hint: texts.emailReadBack,
  inputMode: 'email',
});
const PHONE_FIELD = field('text', 'phone', texts.phoneLabel, { inputMode: 'tel' });

export const roleField = (roles: readonly RoleId[]): FormField =>
  field('select', 'role', texts.roleLabel, {
    options: [
      { value: '', label: texts.chooseRole },
      ...optionsOf(roles, (id) => `${id} ${roleWords(textsIn(ORIGINAL), id)}`),
    ],
  });

const asksByLink: Verb['mail'] = ({ notifications, db, to, link }) =>
  notifications.staffChange(db, to, link, '');

/** The deed of each verb on a person; `invite` has no person yet, and a look changes nothing. */
export const VERBS: Readonly<Record<Exclude<ConsoleVerb, 'look' | 'invite'>, Verb>> = {
  resend: { deed: () => resend, mail: resentMail },
  mailReset: {
    deed: () => withinMailLimit(operation(mailReset)),
    mail: ({ notifications, db, to, link }) => notifications.resetLink(db, to, link, ''),
  },
  unlock: {
    deed: () => operation(async (admin, { id }) => counted(await unlockAccount(admin, id))),
    notice: 'staffUnlocked',
  },
  endSessions: {
    deed: () => operation(async (admin, account) => counted(await signOut(admin, account, null))),
    notice: 'staffSignedOut',
  },
  suspend: {
    deed: () => withinSuspends(operation((admin, { id }) => setSuspended(admin, id, true))),
    notice: 'staffSuspended',
  },
  resume: {
    deed: () => operation((admin, { id }) => setSuspended(admin, id, false)),
    notice: 'staffResumed',
  },
  giveRole: {
    fields: ({ rolesToGive }, hint) => [{ ...roleField(rolesToGive), hint }],
    deed(typed, { rolesToGive }) {
      const role = typedRole(typed, rolesToGive);
      return operation(async (admin, { id, subtenant_id: house }, { staff }) => {
        const did = await changeRoles(admin, id, { give: [role], take: [], by: staff.id });
        // After the event, which holds the list: what was taken from it meanwhile is not given.
        await requireListed(admin, staff, role, house);
        return did;
      });
    },
    notice: 'staffRoleGiven',
  },
  takeRole: {
    fields: ({ rolesToTake }) => [roleField(rolesToTake)],
    deed(typed, { rolesToTake }) {
      const take = [typedRole(typed, rolesToTake)];
      return operation((admin, { id }) => changeRoles(admin, id, { give: [], take }));
    },
    notice: 'staffRoleTaken',
  },
  correctEmail: {
    fields: () => [EMAIL_FIELD],
    deed(typed, { account }) {
      const email = typedEmail(typed);
      if (canonicalEmail(email) === canonicalEmail(account.email_canonical)) {
        throw new FieldProblems({ email: texts.sameEmail });
      }
      return asks({ what: 'email', contact: 'email', email });
    },
    mail: asksByLink,
  },
  correctPhone: {
    fields: () => [PHONE_FIELD],
    async deed(typed) {
      const mobile = await typedPhone(typed);
      // A full phone number; it does not say where the dial code ends.
      return asks({ what: 'phone', contact: 'phone', dial_code: '', mobile });
    },
    mail: asksByLink,
  },
  removeKey: {
    fields: ({ keys }) => [
      field('select', 'key', texts.keyLabel, {
        options: [
          { value: '', label: texts.chooseKey },
          ...keys.map(({ credential_id: value, name: label }) => ({ value, label })),
        ],
      }),
    ],
    deed({ key: typed }, { keys }) {
      const key = keys.find(({ credential_id: id }) => id === typed);
      if (!key) throw new FieldProblems({ key: texts.keyProblem });
      return asks({ what: 'key', credentialId: key.credential_id });
    },
    mail: asksByLink,
  },
  removeAppCode: { deed: () => asks({ what: 'appCode' }), mail: asksByLink },
  agree: {
    deed: () => operation((admin, account, run) => agreeToChange(admin, account, byStaff(run))),
    mail: ({ notifications, db, now, account, link }) => {
      const until = later(now, AGREED_WAIT_MS);
      const undo = { url: link, until };
      const notice = { kind: 'staffChangeWaits', words: { date: until }, undo } as const;
      return notifications.accountNotice(db, account, notice, '');
    },
  },
  stopChange: { deed: () => operation((admin, { id }) => stopChange(admin, id)) },
  mailUndo: {
    deed: () => withinMailLimit(operation(mailUndoLink)),
    async mail({ notifications, db, now, account, link }) {
      const [first] = await openChanges(db, account.id, now);
      const undo = { url: link, until: first?.undo_until ?? now };
      const words = { email: maskEmail(account.email) };
      await notifications.accountNotice(db, account, { kind: 'emailChanged', words, undo }, '');
    },
  },
  export: {
    deed: () =>
      operation(async (admin, { id }) => {
        const data = await exportPerson(admin, id);
        return { file: JSON.stringify(data, null, 2), name: `person-${id}.json` };
      }),
  },
  erase: {
    deed: () =>
      operation(async (admin, { id }) => ((await erasePerson(admin, id)) ? 'done' : 'already')),
  },
};

/** Sends the message again that waits: the code of a sign-in, the link of a sign-up, or an invitation. */
async function resend(run: VerbRun): Promise<Did> {
  const { context, person, staff, ip, otps, recipients, links } = run;
  const { account, resendable } = person;
  if (resendable === 'code') {
    const waiting = await waitingVisit(context, account.id);
    if (!waiting) throw new AppError('FORBIDDEN');
    const recipient = await recipients.find('TWOFACTORAUTHENTICATION', account.id, waiting);
    await otps.resend(recipient, OTP_MEDIUM.both, { visit: waiting, ip });
  } else if (resendable === 'invitation') {
    await countInvitation(context, staff, account);
  } else {
    await countMail(run);
  }
  return run.transact(async (admin) => {
    if (resendable === 'invitation') return invite(admin, account);
    if (resendable === 'signUp') {
      const form = await links.forPending(admin.db, account.id, staff.visit);
      if (!form) throw new AppError('FORBIDDEN');
      await admin.notifications.activationLink(admin.db, form, form.url, randomId());
    }
    const details = { what: resendable };
    await admin.audit({ kind: 'console.resent', userId: account.id, details }, admin.db);
    return 'done';
  });
}

/** Returns the person's browser that waits for a code. */
async function waitingVisit({ db, clock }: ServerContext, userId: number) {
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

function resentMail({ notifications, db, now, to, link, resendable }: MailPreview): Promise<void> {
  if (resendable === 'invitation') return notifications.invitation(db, to, link, '');
  if (resendable === 'signUp') return notifications.activationLink(db, to, link, '');
  const hidden = '••••••';
  return notifications.code(
    db,
    { ...to, phone: '' },
    {
      id: '',
      digits: { email: hidden, phone: hidden },
      medium: OTP_MEDIUM.email,
      expiresAt: later(now, OTP_COUNTDOWN_MS),
      purpose: 'signIn',
      textRefusal: null,
      link: null,
    },
  );
}
