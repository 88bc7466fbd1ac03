import type { CodeType } from '#domain/proofs/otp.ts';
import { DEFAULT_SUBTENANT_ID } from '#domain/people/subtenants.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import { findAccount, accountRecipient } from '../accounts/account-store.ts';
import { waysOf } from '../accounts/organisation-links.ts';
import type { ServerContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { CodePurpose } from '../notifications/templates.ts';
import type { OtpPorts } from '../proofs/otp/otp-ports.ts';
import type { OtpRecipient } from '../proofs/otp/recipients.ts';
import type { ActivationLinks } from './activation-links.ts';

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

type Deps = {
  readonly notifications: Notifications;
  readonly links: Pick<ActivationLinks, 'forPending' | 'forMail'>;
};

/** Creates the mails that anybody can cause who types an address: a code, or the answer to a forgotten password. */
export function createMailsToAddress(
  { clock, secretBox }: Pick<ServerContext, 'clock' | 'secretBox'>,
  { notifications, links }: Deps,
) {
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
      pendingUserId === null ? null : await links.forPending(transaction, pendingUserId, visit);
    const cause = `${secretBox.hmac('notice', canonicalEmail(email))}:${today()}`;
    if (form) return notifications.activationLink(transaction, form, form.url, cause);
    const subtenantId = visit.subtenantId ?? DEFAULT_SUBTENANT_ID;
    const to = { email: canonicalEmail(email), subtenantId };
    await notifications.nothingFound(transaction, to, cause);
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
      const to = { ...accountRecipient(owner), subtenantId: recipient.subtenantId };
      const cause = `${standInOf}:${today()}`;
      const { keptBy } = await waysOf(transaction, owner.id);
      return keptBy === null
        ? notifications.accountExists(transaction, to, cause)
        : notifications.byOrganisation(transaction, to, keptBy, cause);
    }
    const purpose = isForRole ? 'role' : PURPOSES[recipient.type];
    // A role is added in the visit that enters the code, never by a link's button.
    const link =
      id && !isForRole ? await links.forMail(transaction, { id, userId }, signUpPlatform) : null;
    return notifications.code(transaction, recipient, { ...otp, purpose, link });
  }

  return { queueOtp, queueHelp };
}
