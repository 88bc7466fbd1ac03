import type { CodeType } from '#domain/proofs/otp.ts';
import type { CodePurpose } from '../notifications/templates.ts';
import { ACADEMY_SUBTENANT_ID, DEFAULT_SUBTENANT_ID } from '#domain/people/subtenants.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import { type Account, findAccount } from '../accounts/account-store.ts';
import { createHelpReminders } from '../helpers/help-reminders.ts';
import { forEachRow } from '../db/each-row.ts';
import { createTrialReminders } from '../accounts/trial-reminders.ts';
import { remindOfEnd } from '../helpers/helpers.ts';
import { createAddRole } from '../sign-up/add-role.ts';
import { createActivation } from '../sign-up/activation.ts';
import { createActivationLinks } from '../sign-up/activation-links.ts';
import type { Db } from '../db/database.ts';
import type { IdentityProviderAccounts } from '../identity-provider/port.ts';
import type { Visit } from '../http/visit-cookie.ts';
import { createCaptcha } from '../abuse/captcha.ts';
import { createEnumerationGuard } from '../abuse/enumeration-guard.ts';
import type { OtpPorts } from '../otp/otp-ports.ts';
import { insertOtp } from '../otp/otp-store.ts';
import type { OtpRecipient } from '../otp/recipients.ts';
import { createIsGuessable } from '../password/guessable-password.ts';
import { createPromoCodes } from '../sign-up/promo-codes.ts';
import { withAudit } from '../sign-in/audited-password-check.ts';
import { createPasswordCheck } from '../sign-in/password-check.ts';
import { createPasswordGuessingAlert } from '../sign-in/password-guessing-alert.ts';
import type { Core } from './core.ts';
import type { Credentials } from './credentials.ts';
import type { Delivery } from './delivery.ts';

export type Accounts = ReturnType<typeof createAccounts>;

/** Assembles accounts: sign-up, activation, and the notices to their owners. */
export function createAccounts(
  { context, hashing, knownBrowsers }: Core,
  { notifications, leads, subtenants }: Delivery,
  providerAccounts: IdentityProviderAccounts,
  { credentials, endAccess }: Credentials,
) {
  const endProviderSessions = credentials.endAccount;
  const { clock, secretBox } = context;
  const trialReminders = createTrialReminders(context, (transaction, account, trial) =>
    notifications.trialEnds(
      transaction,
      { ...recipientOf(account), subtenantId: ACADEMY_SUBTENANT_ID },
      trial,
      `${account.id}:${trial.days}:${trial.endsAt.getTime()}`,
    ),
  );
  const helpReminders = createHelpReminders(context, (transaction, help, member) =>
    remindOfEnd(notifications, transaction, help, member),
  );
  const promoCodes = createPromoCodes(context);
  const isGuessable = createIsGuessable(subtenants.shown);
  const captcha = createCaptcha(context);
  const passwordGuessingAlert = createPasswordGuessingAlert(
    context,
    (transaction, account, cause) =>
      notifications.passwordTried(transaction, recipientOf(account), cause),
  );
  context.outbox.define(passwordGuessingAlert.job);
  const comparison = createPasswordCheck(context, {
    knownBrowsers,
    verifyHash: hashing.verify,
    renewHash: hashing.renew,
    isChallengeRequired: (ip) => captcha.isChallengeRequired('signIn', ip),
    onManyFailures: passwordGuessingAlert.note,
  });
  const passwordCheck = withAudit(comparison, context);
  const addRole = createAddRole(context, {
    captureLead: leads.capture,
    announceRole: (transaction, account, subtenantId, cause) =>
      notifications.roleAdded(transaction, { ...recipientOf(account), subtenantId }, cause),
  });
  const activation = createActivation(context, {
    captureLead: leads.capture,
    usePromo: promoCodes.use,
    hash: hashing.hash,
    isGuessable,
    hasProviderPassword: providerAccounts.hasPassword,
    activated: providerAccounts.activated,
    addRole,
    endAccess,
    endProviderSessions,
    forgetTries: passwordCheck.resetFailures,
  });
  const activationLinks = createActivationLinks(context, { insertOtp, endProviderSessions });
  return {
    addRole,
    captcha,
    passwordCheck,
    isGuessable,
    isActiveSubtenant: async (id: number) => (await subtenants.find(id)) !== null,
    isPromoUsable: promoCodes.isUsable,
    /** Trials and helpers that end soon. */
    reminders: {
      async sendDue(signal?: AbortSignal) {
        await forEachRow([trialReminders, helpReminders], (each) => each.sendDue(signal));
      },
    },
    activation,
    activationLinks,
    enumerationGuard: createEnumerationGuard(context),
    queueOtp,
    queueHelp,
  };

  /** A notice that any visitor can cause is mailed once a day to one mailbox. */
  function today(): string {
    return clock.now().toISOString().slice(0, 10);
  }

  /** Queues the answer to a reset without a password: the link that finishes a sign-up, or 'no account'. */
  async function queueHelp(
    transaction: Db,
    asked: { readonly email: string; readonly pendingUserId: number | null },
    visit: Visit,
  ): Promise<void> {
    const { email, pendingUserId } = asked;
    const form =
      pendingUserId === null
        ? null
        : await activationLinks.forPending(transaction, pendingUserId, visit);
    const cause = `${secretBox.hmac('notice', canonicalEmail(email))}:${today()}`;
    if (form) return notifications.activationLink(transaction, form, form.url, cause);
    const subtenantId = visit.subtenantId ?? DEFAULT_SUBTENANT_ID;
    await notifications.nothingFound(
      transaction,
      { email: canonicalEmail(email), subtenantId },
      cause,
    );
  }

  async function queueOtp(
    transaction: Db,
    recipient: OtpRecipient,
    otp: Parameters<OtpPorts['queueOtp']>[2],
  ): Promise<void> {
    const { registrationId: id, userId, signUpPlatform, standInOf, isForRole } = recipient;
    if (standInOf !== null) {
      const owner = await findAccount(transaction, standInOf);
      if (!owner) return;
      if (recipient.type === 'NEW_CONTACT') {
        const notice = { kind: 'addressWanted' } as const;
        return notifications.accountNotice(transaction, owner, notice, `${owner.id}:${today()}`);
      }
      const to = { ...recipientOf(owner), subtenantId: recipient.subtenantId };
      return notifications.accountExists(transaction, to, `${standInOf}:${today()}`);
    }
    const purpose = isForRole ? 'role' : PURPOSES[recipient.type];
    // A role is added in the visit that enters the code, never by a link's button.
    const link =
      id && !isForRole
        ? await activationLinks.forMail(transaction, { id, userId }, signUpPlatform)
        : null;
    return notifications.code(transaction, recipient, { ...otp, purpose, link });
  }
}

const PURPOSES: Readonly<Record<CodeType, CodePurpose>> = {
  USER_ACTIVATION: 'signUp',
  FORGOT_PASSWORD: 'signIn',
  TWOFACTORAUTHENTICATION: 'signIn',
  VERIFY_CONTACT: 'signIn',
  STEP_UP: 'stepUp',
  NEW_CONTACT: 'stepUp',
  RECOVERY: 'stepUp',
  STAFF_CHANGE: 'stepUp',
};

/** Returns the addressee of a mail about an account. */
export function recipientOf({ email, first_name, subtenant_id, language }: Account) {
  return { email, firstName: first_name, subtenantId: subtenant_id, language };
}
