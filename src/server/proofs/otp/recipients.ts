import { sql } from 'kysely';
import { REGISTRATION_LIFE_MS } from '#domain/proofs/activation.ts';
import { isCodeMissing } from '#domain/proofs/passkeys.ts';
import type { CodeType, MailRule } from '#domain/proofs/otp.ts';
import {
  type Account,
  type AccountBeside,
  findAccount,
  findAccountByEmail,
  hasRole,
} from '../../accounts/account-store.ts';
import { waysOf } from '../../accounts/organisation-links.ts';
import { findWaiting, openChanges } from '../../accounts/contact-changes.ts';
import { isProvenByPhoneAlone, mailRuleOf, ownContacts } from '../../accounts/proven-contacts.ts';
import { openRegistrations, subjectOfForm } from '../../accounts/registration-store.ts';
import { later } from '../../core/clock.ts';
import type { ServerContext } from '../../core/context.ts';
import { AppError } from '../../http/app-error.ts';
import type { Visit } from '../../http/visit-cookie.ts';
import { wholeNumber } from '../../accounts/phone-text.ts';

/** The recipient of an OTP and the rights that it gives: found through the visit, never taken from a body. */
export type OtpRecipient = {
  readonly userId: number;
  readonly type: CodeType;
  /** The id of the one thing that the code proves: the act compares it (PRF-24). */
  readonly subject: string;
  readonly registrationId: string | null;
  readonly signInId: string | null;
  readonly email: string;
  readonly phone: string;
  readonly firstName: string;
  readonly subtenantId: number;
  readonly signUpPlatform: number;
  readonly mailRule: MailRule;
  /** A call may say the code: of a sign-in to an account with a proven mailbox and a phone (VOI-02). */
  readonly mayBeCalled: boolean;
  /** The account that a decoy row represents. A decoy's code is never right. */
  readonly standInOf: number | null;
  /** The right code adds a role to an existing account. */
  readonly isForRole: boolean;
  /** The account's app is asked for the code: nothing is sent, whatever is requested. */
  readonly asksApp: boolean;
};

type OfAccount = Pick<
  Account,
  'id' | 'email' | 'dial_code' | 'mobile' | 'first_name' | 'subtenant_id' | 'sign_up_platform'
>;

/** Returns an account as the recipient of a code that is not called, and that gives no role. */
export const otpRecipientOf = (
  account: OfAccount,
  rest: Pick<OtpRecipient, 'type' | 'subject' | 'mailRule' | 'asksApp'>,
): OtpRecipient => ({
  ...rest,
  userId: account.id,
  registrationId: null,
  signInId: null,
  email: account.email,
  phone: wholeNumber(account),
  firstName: account.first_name,
  subtenantId: account.subtenant_id,
  signUpPlatform: account.sign_up_platform,
  mayBeCalled: false,
  standInOf: null,
  isForRole: false,
});

export type Recipients = ReturnType<typeof createRecipients>;

/** Creates the lookup of recipients: through the visit's own pending row, at the fitting stage (security D17). */
export function createRecipients(
  { db, clock, config }: Pick<ServerContext, 'db' | 'clock' | 'config'>,
  deps: {
    /** A provider sends texts. */
    readonly hasTexts: boolean;
    readonly signIns: {
      /** Returns the visit's current sign-in with its account. */
      currentWithAccount(visit: Visit): Promise<{
        readonly attempt: {
          readonly id: string;
          readonly stage: string;
          readonly amr: readonly string[];
        };
        readonly account: AccountBeside | null;
      } | null>;
    };
  },
) {
  const { signIns, hasTexts } = deps;
  // Only an address that was proven by mail makes an account. A tenant's user has one that was verified.
  const isSignUpByMailOnly = config.enumerationProtection === 'strict' || config.tenant !== null;

  async function signingUp(userId: number, visit: Visit): Promise<OtpRecipient | null> {
    const now = clock.now();
    const row = await openRegistrations(db)
      // The visit opened a valid link to it (ACT-03).
      .leftJoin(
        (eb) =>
          eb
            .selectFrom('activation_visits')
            .innerJoin('activation_links', 'activation_links.id', 'activation_visits.link_id')
            .select(['activation_links.registration_id', 'activation_visits.opened_at'])
            .where('activation_visits.visit_id', '=', visit.id)
            .where('activation_links.expires_at', '>', now)
            .as('followed'),
        (join) => join.onRef('followed.registration_id', '=', 'registrations.id'),
      )
      .selectAll('registrations')
      .select(['users.sign_up_platform', 'users.shadow_of'])
      .where('registrations.user_id', '=', userId)
      .where((eb) =>
        eb.or([
          eb.and([
            eb('registrations.visit_id', '=', visit.id),
            eb('registrations.created_at', '>', later(now, -REGISTRATION_LIFE_MS)),
          ]),
          eb('followed.opened_at', 'is not', null),
        ]),
      )
      // Of several, the one that this visit used last: the browser sends its id.
      .orderBy(
        sql`greatest(followed.opened_at, case when registrations.visit_id = ${visit.id} then registrations.created_at end)`,
        'desc',
      )
      .executeTakeFirst();
    if (!row) return null;
    const owner = await ownerOf(row.shadow_of, row.role_id);
    return {
      userId,
      type: 'USER_ACTIVATION',
      subject: subjectOfForm(row),
      signUpPlatform: row.sign_up_platform,
      registrationId: row.id,
      signInId: null,
      email: owner?.email ?? row.email,
      phone: wholeNumber(row),
      firstName: owner?.isForRole ? owner.firstName : row.first_name,
      subtenantId: row.subtenant_id,
      // The mailbox of the account has to be proven, not the phone of the form.
      mailRule:
        isSignUpByMailOnly || row.by_mail_only || row.shadow_of !== null ? 'only' : 'always',
      mayBeCalled: false,
      standInOf: owner ? null : row.shadow_of,
      isForRole: owner?.isForRole ?? false,
      asksApp: false,
    };
  }

  /** Returns what the mailbox of an existing account can prove for a form; `null`: nothing. */
  async function ownerOf(accountId: number | null, roleId: number) {
    const account = accountId === null ? undefined : await findAccount(db, accountId);
    if (account?.status !== 'active') return null;
    const { id, email, first_name: firstName } = account;
    if (isProvenByPhoneAlone(account)) return { email, firstName, isForRole: false };
    // An organisation's directory gives the roles of the people that it keeps.
    const { keptBy } = await waysOf(db, id);
    const isDone = keptBy !== null || (await hasRole(db, id, roleId));
    return isDone ? null : { email, firstName, isForRole: true };
  }

  /** A suspended account gets its code too: the suspension is shown only after both factors (PRF-09). */
  const signingIn = (userId: number, visit: Visit) =>
    ofSignIn('TWOFACTORAUTHENTICATION', isCodeMissing, userId, visit);

  /**
   * Returns the recipient of a step-up. A contact that was changed lately proves none, because a thief may have set it
   * (ACC-05); nor does one that was only typed, beside one that is proven (PRF-27).
   */
  async function steppingUp(userId: number, visit: Visit): Promise<OtpRecipient | null> {
    const account = await findAccount(db, userId);
    const recipient = account && (await ofSignIn('STEP_UP', isComplete, userId, visit));
    // An app is no contact.
    if (!recipient || recipient.asksApp) return recipient ?? null;
    const own = await ownContacts(db, account, clock.now());
    if (own.has('phone') && own.has('email')) return recipient;
    if (own.has('phone')) return hasTexts ? { ...recipient, mailRule: 'never' } : null;
    const isChanged = !own.has('email') && (await openChanges(db, userId, clock.now())).length > 0;
    return isChanged ? null : { ...recipient, mailRule: 'only', mayBeCalled: false };
  }

  /** The contact that this session wants to change to. Another account's address gets a mail that says so. */
  async function changing(userId: number, visit: Visit): Promise<OtpRecipient | null> {
    const session = await ofSignIn('NEW_CONTACT', isComplete, userId, visit);
    const change = session?.signInId && (await findWaiting(db, session.signInId, clock.now()));
    if (!session || !change || change.user_id !== userId) return null;
    // The new contact proves itself, also of a person with an app.
    const recipient = { ...session, subject: change.id, asksApp: false, mayBeCalled: false };
    const phone = wholeNumber(change);
    if (change.contact === 'phone') return { ...recipient, phone, mailRule: 'never' };
    const owner = await findAccountByEmail(db, change.email);
    const isOthers = owner !== undefined && owner.id !== userId && owner.status !== 'pending';
    return {
      ...recipient,
      email: change.email,
      mailRule: 'only',
      standInOf: isOthers ? owner.id : null,
    };
  }

  async function ofSignIn(
    type: CodeType,
    isAtStep: typeof isCodeMissing,
    userId: number,
    visit: Visit,
  ): Promise<OtpRecipient | null> {
    const { attempt: signIn, account } = (await signIns.currentWithAccount(visit)) ?? {};
    if (!signIn || !isAtStep(signIn) || account?.id !== userId) return null;
    if (account.status === 'pending') return null;
    const mailRule = mailRuleOf(account);
    const asksApp = account.hasAppCode;
    return {
      ...otpRecipientOf(account, { type, subject: signIn.id, mailRule, asksApp }),
      signInId: signIn.id,
      mayBeCalled: account.email_proven_at !== null && mailRule !== 'only' && !asksApp,
    };
  }

  return {
    /**
     * Returns the account that an OTP of this type may go to for this visit. The id in the request is only compared.
     * @throws AppError FORBIDDEN when no stage of the visit allows it
     */
    async find(type: CodeType, userId: number, visit: Visit): Promise<OtpRecipient> {
      const finder = {
        USER_ACTIVATION: signingUp,
        TWOFACTORAUTHENTICATION: signingIn,
        STEP_UP: steppingUp,
        NEW_CONTACT: changing,
      }[type as string];
      const recipient = await finder?.(userId, visit);
      if (!recipient) throw new AppError('FORBIDDEN');
      return recipient;
    },
  };
}

const isComplete = ({ stage }: { readonly stage: string }) => stage === 'complete';
