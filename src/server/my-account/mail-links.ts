import type { AccountProblem, LinkedStaffChange, MailLink } from '#contract/my-account.ts';
import { OTP_MEDIUM } from '#domain/otp.ts';
import { pathOf, type ScreenName } from '#domain/screens.ts';
import { type Account, findActiveAccount } from '../accounts/account-store.ts';
import { stateOfUndo, undoContactChange } from '../administration/change-contact.ts';
import {
  applyStaffChange,
  confirmMailbox,
  type LinkedChange,
  readLinkedChange,
  shownValue,
  stopChange,
} from '../administration/staff-changes.ts';
import { isOwnPassword, type PasswordCheck } from '../sign-in/password-check.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import type { ServerContext } from '../context.ts';
import { hashToken } from '../crypto/secret-box.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { Otps } from '../otp/otp-ports.ts';
import { findOpenOtp } from '../otp/otp-store.ts';
import type { OtpRecipient } from '../otp/recipients.ts';
import { listKeys } from '../saved-keys/key-store.ts';
import { verifyOpenCode } from './open-code.ts';
import { type Me, problemOf, textOf } from './account-page.ts';
import type { StepUp } from './step-up.ts';

type Ports = {
  readonly otps: Pick<Otps, 'send' | 'verify'>;
  readonly notifications: Pick<Notifications, 'accountNotice'>;
  readonly passwordCheck: Pick<PasswordCheck, 'verify'>;
  readonly isFreshIn: StepUp['isFreshIn'];
};

/** The answer to a form: the next page's address, or the same page with its problem. */
type LinkAnswer =
  | { readonly page: string; readonly display?: never; readonly cookies?: never }
  | { readonly link: MailLink };

export type MailLinks = {
  /** Returns what a page shows that a mailed link opened; opening it changes nothing. `null` for other screens. */
  read(
    screen: ScreenName,
    query: URLSearchParams,
    reader: { readonly visit: Visit | null; readonly me: Me | null },
  ): Promise<MailLink | null>;
  /** Runs the form of such a page. @throws AppError BAD_REQUEST for another screen, TOO_MANY */
  submit(
    screen: ScreenName,
    query: URLSearchParams,
    sent: FormData,
    caller: Caller,
    me: Me | null,
  ): Promise<LinkAnswer>;
};

const OVER: MailLink = {
  state: 'over',
  phone: null,
  isCodeSent: false,
  problem: null,
  staffChange: null,
};

/** Creates the pages of mailed links: the undo of a changed contact, and the older proof for a new password. */
export function createMailLinks(context: ServerContext, ports: Ports): MailLinks {
  const { db, clock, rateLimits, outbox } = context;
  const { keys } = context.config;

  /** Returns the account of a link for a new password after an undo; `null` for another or an expired link. */
  async function recovering(key: string): Promise<Account | null> {
    const link = await db
      .selectFrom('reset_links')
      .select('user_id')
      .where('key_hash', '=', hashToken(key))
      .where('used_at', 'is', null)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst();
    const account = link ? await findActiveAccount(db, link.user_id) : null;
    return account?.recovery_since ? account : null;
  }

  async function readRecovery(key: string, visit: Visit | null): Promise<MailLink> {
    const account = await recovering(key);
    if (!account) return OVER;
    return { ...OVER, state: 'open', ...(await phoneProof(recoveryPhone(account), visit)) };
  }

  /** Returns what the page shows of a code by text. `recipient`: `null` when no phone may prove it. */
  async function phoneProof(recipient: OtpRecipient | null, visit: Visit | null) {
    if (!recipient) return { phone: null, isCodeSent: false };
    const open = visit && (await findOpenOtp(db, recipient, visit.id));
    return { phone: (recipient.phone ?? '').slice(-2), isCodeSent: Boolean(open) };
  }

  /** Sends the code by text, or checks it. @returns whether it was right */
  async function prove(
    recipient: OtpRecipient | null,
    sent: FormData,
    caller: Caller,
  ): Promise<boolean> {
    if (!recipient) throw new AppError('BAD_REQUEST');
    if (textOf(sent, 'do') === 'send') {
      await ports.otps.send(recipient, OTP_MEDIUM.sms, caller);
      return false;
    }
    await verifyOpenCode({ db, otps: ports.otps }, recipient, sent, caller);
    return true;
  }

  async function submitRecovery(key: string, sent: FormData, caller: Caller): Promise<LinkAnswer> {
    const account = await recovering(key);
    if (!account) return { link: OVER };
    try {
      const isProven = await prove(recoveryPhone(account), sent, caller);
      const page = pathOf(isProven ? 'resetPassword' : 'recovery');
      return { page: `${page}?resetLinkKey=${key}` };
    } catch (error) {
      const problem = problemOf(error);
      return { link: { ...(await readRecovery(key, caller.visit)), problem } };
    }
  }

  async function submitUndo(screen: ScreenName, query: URLSearchParams): Promise<LinkAnswer> {
    if (screen !== 'undoChange') throw new AppError('BAD_REQUEST');
    const administration = { ...context, notifications: ports.notifications };
    const key = await undoContactChange(administration, query.get('key') ?? '');
    if (key === null) return { link: OVER };
    outbox.wake();
    return { page: `${pathOf('recovery')}?${RESET_KEY}=${key}` };
  }

  async function readStaffChange(
    key: string,
    { visit, me }: { readonly visit: Visit | null; readonly me: Me | null },
  ): Promise<MailLink> {
    const linked = await readLinkedChange(context, key);
    return linked ? shownChange(linked, await askedOf(linked, me), visit) : OVER;
  }

  /** Returns what proves a change of the help desk, for the reader of this link. */
  async function askedOf(
    { account, isStop, isProof }: LinkedChange,
    me: Me | null,
  ): Promise<LinkedStaffChange['asks']> {
    if (isStop) return 'stop';
    const isSignedIn = me?.loggedInUserId === account.id && (await ports.isFreshIn(me));
    if (isProof || isSignedIn) return 'proof';
    return account.password_hash === null ? 'nothing' : 'password';
  }

  async function shownChange(
    linked: LinkedChange,
    asks: LinkedStaffChange['asks'],
    visit: Visit | null,
  ): Promise<MailLink> {
    const { change, account } = linked;
    const asksProof = asks === 'password' || asks === 'nothing';
    const staffChange = {
      what: change.what,
      to: shownValue(change),
      asks,
      asksMailbox: asksProof && change.what === 'email' && change.opened_at === null,
      hasKey: asksProof && keys !== null && (await listKeys(db, account.id)).length > 0,
      problem: null,
    };
    const phone = await phoneProof(asksProof ? olderPhone(linked) : null, visit);
    return { ...OVER, state: 'open', ...phone, staffChange };
  }

  /** Stops the change, or makes it count by an older proof, or records that the new mailbox answered. */
  async function submitStaffChange(
    key: string,
    sent: FormData,
    caller: Caller,
    me: Me | null,
  ): Promise<LinkAnswer> {
    const linked = await readLinkedChange(context, key);
    if (!linked) return { link: OVER };
    const asks = await askedOf(linked, me);
    const { account, change } = linked;
    const doneAt = (done: 'stopped' | 'changed') => ({
      page: `${pathOf('staffChange')}?done=${done}`,
    });
    const refused = async (problem: AccountProblem) => {
      const link = await shownChange(linked, asks, caller.visit);
      return {
        link: { ...link, staffChange: link.staffChange && { ...link.staffChange, problem } },
      };
    };
    if (asks === 'stop') {
      await db
        .transaction()
        .execute((transaction) => stopChange({ ...context, db: transaction }, account.id));
      return doneAt('stopped');
    }
    const step = textOf(sent, 'do');
    if (step === 'mailbox') {
      await confirmMailbox(context, linked);
      return { link: await readStaffChange(key, { visit: caller.visit, me }) };
    }
    if (step === 'send' || step === 'check') {
      try {
        if (!(await prove(olderPhone(linked), sent, caller))) {
          return { page: `${pathOf('staffChange')}?key=${key}` };
        }
      } catch (error) {
        const problem = problemOf(error);
        return { link: { ...(await shownChange(linked, asks, caller.visit)), problem } };
      }
    } else if (asks !== 'proof') {
      if (asks !== 'password') throw new AppError('FORBIDDEN');
      try {
        const typed = textOf(sent, 'password');
        if (!(await isOwnPassword(ports.passwordCheck, account, typed, caller))) {
          return await refused({ message: 'passwordNowWrong', minutes: 0 });
        }
      } catch (error) {
        return refused(problemOf(error));
      }
    }
    try {
      if (!(await applyStaffChange(context, change.id, 'proven'))) return { link: OVER };
    } catch (error) {
      return refused(problemOf(error));
    }
    outbox.wake();
    return doneAt('changed');
  }

  return {
    async read(screen, query, reader) {
      if (screen === 'undoChange') {
        return { ...OVER, state: await stateOfUndo(context, query.get('key') ?? '') };
      }
      if (screen === 'staffChange') {
        return readStaffChange(query.get('key') ?? '', reader);
      }
      return screen === 'recovery' ? readRecovery(query.get(RESET_KEY) ?? '', reader.visit) : null;
    },

    async submit(screen, query, sent, caller, me) {
      const limit = [RATE_LIMITS.wrongLinkPerIp, caller.ip] as const;
      await rateLimits.check(limit);
      const answer = await answerOf();
      // Only a wrong link counts.
      if ('link' in answer && answer.link.state === 'over') await rateLimits.isWithin(limit);
      return answer;

      function answerOf(): Promise<LinkAnswer> {
        switch (screen) {
          case 'recovery':
            return submitRecovery(query.get(RESET_KEY) ?? '', sent, caller);
          case 'staffChange':
            return submitStaffChange(query.get('key') ?? '', sent, caller, me);
          default:
            return submitUndo(screen, query);
        }
      }
    },
  };
}

const RESET_KEY = 'resetLinkKey';

/** Returns the phone that proves a change of the help desk; `null` for none that is old enough. */
const olderPhone = ({ account, mayPhoneProve }: LinkedChange): OtpRecipient | null =>
  mayPhoneProve ? byText(account) : null;

/** Returns the phone that proves a new password; `null` for none that was proven before the undone change. */
function recoveryPhone(account: Account): OtpRecipient | null {
  const { phone_proven_at: provenAt, recovery_since: since } = account;
  return provenAt === null || since === null || provenAt >= since ? null : byText(account);
}

/** Returns the recipient of a code by text alone. */
function byText(account: Account): OtpRecipient {
  return {
    userId: account.id,
    type: 'RECOVERY',
    registrationId: null,
    signInId: null,
    email: account.email,
    phone: `${account.dial_code}${account.mobile}`,
    firstName: account.first_name,
    subtenantId: account.subtenant_id,
    signUpPlatform: account.sign_up_platform,
    mailRule: 'never',
    standInOf: null,
    isForRole: false,
    asksApp: false,
    mayBeCalled: false,
  };
}
