import type { MailLink } from '#contract/my-account.ts';
import { pathOf, type ScreenName } from '#domain/flow/screens.ts';
import type { Language } from '#locales/languages.ts';
import { type Account, findActiveAccount } from '../accounts/account-store.ts';
import { ownContacts } from '../accounts/proven-contacts.ts';
import { stateOfUndo, undoContactChange } from './change-contact.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import type { FullContext } from '../access/context.ts';
import { hashToken } from '../crypto/secret-box.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { Otps } from '../proofs/otp/otp-ports.ts';
import type { OtpRecipient } from '../proofs/otp/recipients.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';
import { type Me, problemOf } from '../forms/account-page.ts';
import { byText, createPhoneProof } from './phone-proof.ts';
import { createStaffChangePage, OVER } from './staff-change-page.ts';
import type { StepUp } from '../forms/step-up.ts';

type Ports = {
  readonly otps: Pick<Otps, 'send' | 'verify'>;
  readonly passwordCheck: Pick<PasswordCheck, 'verify'>;
  readonly isFreshIn: StepUp['isFreshIn'];
  /** A provider sends texts. */
  readonly hasTexts: boolean;
  /** The page of an invitation. */
  readonly invitation: {
    readonly read: (key: string, by: Reader) => Promise<MailLink>;
    readonly submit: (key: string, sent: FormData, by: Reader) => Promise<LinkAnswer>;
  };
};

/** The answer to a form: the next page's address, or the same page with its problem. */
type LinkAnswer =
  | { readonly page: string; readonly display?: never; readonly cookies?: never }
  | { readonly link: MailLink };

/** The signed-in person of a page, and its language. */
type Reader = { readonly me: Me | null; readonly language: Language };

export type MailLinks = ReturnType<typeof createMailLinks>;

/** Creates the pages of mailed links: the undo of a changed contact, and the older proof for a new password. */
export function createMailLinks(context: FullContext, ports: Ports) {
  const { db, clock, rateLimits, outbox } = context;
  const phone = createPhoneProof(db, ports);
  const staffChange = createStaffChangePage(context, { ...ports, phone });

  /** Returns a link for a new password after an undo, and its account; `null` for another or an expired link. */
  async function recovering(key: string): Promise<Recovery | null> {
    const link = await db
      .selectFrom('reset_links')
      .select(['id', 'user_id'])
      .where('key_hash', '=', hashToken(key))
      .where('used_at', 'is', null)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst();
    const account = link ? await findActiveAccount(db, link.user_id) : null;
    return link && account?.recovery_since ? { linkId: link.id, account } : null;
  }

  /** Returns the phone that proves a new password; `null` for none that was proven before the undone change. */
  async function olderPhone({ linkId, account }: Recovery): Promise<OtpRecipient | null> {
    const { phone_proven_at: provenAt, recovery_since: since } = account;
    const isOlder = provenAt !== null && since !== null && provenAt < since;
    const own = await ownContacts(db, account, clock.now());
    if (!isOlder || !own.has('phone')) return null;
    return byText(account, { type: 'RECOVERY', subject: linkId });
  }

  async function readRecovery(key: string, visit: Visit | null): Promise<MailLink> {
    const recovery = await recovering(key);
    if (!recovery) return OVER;
    return { ...OVER, state: 'open', ...(await phone.shown(await olderPhone(recovery), visit)) };
  }

  async function submitRecovery(key: string, sent: FormData, caller: Caller): Promise<LinkAnswer> {
    const recovery = await recovering(key);
    if (!recovery) return { link: OVER };
    try {
      const isProven = await phone.run(await olderPhone(recovery), sent, caller);
      const page = pathOf(isProven ? 'resetPassword' : 'recovery');
      return { page: `${page}?resetLinkKey=${key}` };
    } catch (error) {
      const problem = problemOf(error);
      return { link: { ...(await readRecovery(key, caller.visit)), problem } };
    }
  }

  async function submitUndo(screen: ScreenName, query: URLSearchParams): Promise<LinkAnswer> {
    if (screen !== 'undoChange') throw new AppError('BAD_REQUEST');
    const key = await undoContactChange(context, query.get('key') ?? '');
    if (key === null) return { link: OVER };
    outbox.wake();
    return { page: `${pathOf('recovery')}?${RESET_KEY}=${key}` };
  }

  return {
    /** Returns what a page shows that a mailed link opened; opening it changes nothing. `null` for other screens. */
    async read(
      screen: ScreenName,
      query: URLSearchParams,
      reader: Reader & { readonly visit: Visit | null },
    ): Promise<MailLink | null> {
      const key = query.get('key') ?? '';
      if (screen === 'undoChange') return { ...OVER, state: await stateOfUndo(context, key) };
      if (screen === 'staffChange') return staffChange.read(key, reader);
      if (screen === 'invitation') return ports.invitation.read(key, reader);
      return screen === 'recovery' ? readRecovery(query.get(RESET_KEY) ?? '', reader.visit) : null;
    },

    /** Runs the form of such a page. @throws AppError BAD_REQUEST for another screen, TOO_MANY */
    async submit(
      screen: ScreenName,
      query: URLSearchParams,
      sent: FormData,
      caller: Caller,
      by: Reader,
    ): Promise<LinkAnswer> {
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
          case 'invitation':
            return ports.invitation.submit(query.get('key') ?? '', sent, by);
          case 'staffChange':
            return staffChange.submit(query.get('key') ?? '', sent, caller, by.me);
          default:
            return submitUndo(screen, query);
        }
      }
    },
  };
}

const RESET_KEY = 'resetLinkKey';

/** A link for a new password after an undo. */
type Recovery = { readonly linkId: string; readonly account: Account };
