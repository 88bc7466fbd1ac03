import { ACADEMY_SUBTENANT_ID, DEFAULT_SUBTENANT_ID } from '#domain/subtenants.ts';
import { canonicalEmail } from '#domain/validation.ts';
import { createActivation } from '../accounts/activation.ts';
import { createActivationLinks } from '../accounts/activation-links.ts';
import type { Db } from '../db/database.ts';
import type { IdentityProviderAccounts } from '../identity-provider/port.ts';
import type { Visit } from '../http/visit-cookie.ts';
import { createEnumerationGuard } from '../abuse/enumeration-guard.ts';
import type { OtpPorts, Recipient } from '../otp/otp.ts';
import { createPromoCodes } from '../accounts/promo-codes.ts';
import { createTrials } from '../accounts/trials.ts';
import { createUsers, type User } from '../accounts/users.ts';
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
  const trials = createTrials(context, (transaction, person, trial) =>
    notifications.trialEnds(
      transaction,
      { ...recipientOf(person), subtenantId: ACADEMY_SUBTENANT_ID },
      trial,
      `${person.id}:${trial.days}:${trial.endsAt.getTime()}`,
    ),
  );
  const promoCodes = createPromoCodes(context);
  const users = createUsers(context, {
    hash: hashing.hash,
    isActiveSubtenant: async (id) => (await subtenants.find(id)) !== null,
    isPromoUsable: promoCodes.isUsable,
    captureLead: leads.capture,
    announceRole: (transaction, person, subtenantId, cause) =>
      notifications.roleAdded(transaction, { ...recipientOf(person), subtenantId }, cause),
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
    users,
    trials,
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
    recipient: Recipient,
    code: Parameters<OtpPorts['queueOtp']>[2],
  ): Promise<void> {
    const { registrationId: id, userId, signUpPlatform, decoyOf } = recipient;
    if (decoyOf !== null) {
      // Told already, in other words: the same form added a role a moment ago.
      if (await users.hasJustGained(transaction, decoyOf)) return;
      const to = { ...(await personOf(transaction, decoyOf)), subtenantId: recipient.subtenantId };
      return notifications.accountExists(transaction, to, `${decoyOf}:${today()}`);
    }
    const link = id
      ? await activationLinks.forMail(transaction, { id, userId }, signUpPlatform)
      : null;
    // Only a sign-up has a registration.
    const purpose = id ? 'signUp' : 'signIn';
    await notifications.code(transaction, recipient, { ...code, purpose, link });
  }
}

/** Whom a mail about an account goes to. */
export async function personOf(db: Db, userId: number) {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return recipientOf(user);
}

function recipientOf({ email, first_name, subtenant_id }: User) {
  return { email, firstName: first_name, subtenantId: subtenant_id };
}
