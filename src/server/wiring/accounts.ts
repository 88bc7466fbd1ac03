import { ACADEMY_SUBTENANT_ID, DEFAULT_SUBTENANT_ID } from '#domain/subtenants.ts';
import { canonicalEmail } from '#domain/validation.ts';
import { type Account, findAccount } from '../accounts/account-store.ts';
import { createTrialReminders } from '../accounts/trial-reminders.ts';
import { createActivation } from '../sign-up/activation.ts';
import { createActivationLinks } from '../sign-up/activation-links.ts';
import type { Db } from '../db/database.ts';
import type { IdentityProviderAccounts } from '../identity-provider/port.ts';
import type { Visit } from '../http/visit-cookie.ts';
import { createEnumerationGuard } from '../abuse/enumeration-guard.ts';
import type { OtpPorts } from '../otp/otp.ts';
import type { OtpRecipient } from '../otp/recipients.ts';
import { createPromoCodes } from '../sign-up/promo-codes.ts';
import { createSignUps } from '../sign-up/sign-up.ts';
import type { Core } from './core.ts';
import type { Delivery } from './delivery.ts';

export type Accounts = ReturnType<typeof createAccounts>;

/** Who has an account, how it came to be, and what its owner is told about it. */
export function createAccounts(
  { context, hashing }: Core,
  { notifications, leads, subtenants }: Delivery,
  providerAccounts: IdentityProviderAccounts,
) {
  const { clock, secretBox } = context;
  const trialReminders = createTrialReminders(context, (transaction, account, trial) =>
    notifications.trialEnds(
      transaction,
      { ...recipientOf(account), subtenantId: ACADEMY_SUBTENANT_ID },
      trial,
      `${account.id}:${trial.days}:${trial.endsAt.getTime()}`,
    ),
  );
  const promoCodes = createPromoCodes(context);
  const signUps = createSignUps(context, {
    hash: hashing.hash,
    isActiveSubtenant: async (id) => (await subtenants.find(id)) !== null,
    isPromoUsable: promoCodes.isUsable,
    captureLead: leads.capture,
    announceRole: (transaction, account, subtenantId, cause) =>
      notifications.roleAdded(transaction, { ...recipientOf(account), subtenantId }, cause),
  });
  const activation = createActivation(context, {
    captureLead: leads.capture,
    usePromo: promoCodes.use,
    hash: hashing.hash,
    hasProviderPassword: providerAccounts.hasPassword,
    activated: providerAccounts.activated,
  });
  const activationLinks = createActivationLinks(context);
  return {
    signUps,
    trialReminders,
    activation,
    activationLinks,
    enumerationGuard: createEnumerationGuard(context),
    queueOtp,
    queueHelp,
  };

  /** A notice that anybody can set off goes to one mailbox once a day. */
  function today(): string {
    return clock.now().toISOString().slice(0, 10);
  }

  /** For who asked to reset a password that does not exist: the link that finishes a sign-up, or that nothing is here. */
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
    const { registrationId: id, userId, signUpPlatform, decoyOf } = recipient;
    if (decoyOf !== null) {
      const owner = await findAccount(transaction, decoyOf);
      // The owner knows already when the same form added a role a moment ago.
      if (!owner || (await signUps.hasJustGained(transaction, decoyOf))) return;
      const to = { ...recipientOf(owner), subtenantId: recipient.subtenantId };
      return notifications.accountExists(transaction, to, `${decoyOf}:${today()}`);
    }
    const link = id
      ? await activationLinks.forMail(transaction, { id, userId }, signUpPlatform)
      : null;
    // Only a sign-up has a registration.
    const purpose = id ? 'signUp' : 'signIn';
    await notifications.code(transaction, recipient, { ...otp, purpose, link });
  }
}

/** Whom a mail about an account goes to. */
export function recipientOf({ email, first_name, subtenant_id }: Account) {
  return { email, firstName: first_name, subtenantId: subtenant_id };
}
