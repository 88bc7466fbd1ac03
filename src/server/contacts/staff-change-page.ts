import type { AccountProblem, LinkedStaffChange, MailLink } from '#contract/my-account.ts';
import { pathOf } from '#domain/flow/screens.ts';
import {
  beginByPassword,
  confirmMailbox,
  type LinkedChange,
  readLinkedChange,
  shownValue,
  stopChange,
} from './staff-changes.ts';
import { applyStaffChange } from './apply-staff-change.ts';
import { isByKeyOrApp, isProven, type ShownProof } from './change-proofs.ts';
import type { FullContext } from '../access/context.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { OtpRecipient } from '../proofs/otp/recipients.ts';
import { isOwnPassword, type PasswordCheck } from '../sign-in/password-check.ts';
import { type Me, problemOf, textOf } from '../forms/account-page.ts';
import { byText, type PhoneProof } from './phone-proof.ts';

type Ports = { readonly passwordCheck: Pick<PasswordCheck, 'verify'>; readonly phone: PhoneProof };

type Reader = { readonly visit: Visit | null; readonly me: Me | null };
type Asks = LinkedStaffChange['asks'];
type Answer = { readonly page: string } | { readonly link: MailLink };

/** A mailed link that opens nothing any more. */
export const OVER: MailLink = {
  state: 'over',
  phone: null,
  isCodeSent: false,
  problem: null,
  staffChange: null,
  invitation: null,
};

/** Creates the page of a change that the help desk was asked for (decision 206): its person proves it, or stops it. */
export function createStaffChangePage(context: FullContext, ports: Ports) {
  const { db, outbox } = context;

  /** Returns what proves the change, for the reader of this link. */
  async function askedOf(linked: LinkedChange, me: Me | null): Promise<Asks> {
    const { change, account, isStop, isFirm, mayPasswordBegin } = linked;
    if (isStop) {
      const mayStop = !isFirm || (me && (await isByKeyOrApp(context, account, me)));
      return mayStop ? 'stop' : 'stopByPassword';
    }
    for (const shown of shownBy(linked, me)) {
      if (await isProven(context, account, change, shown)) return 'proof';
    }
    if (change.due_at !== null) return 'begun';
    return mayPasswordBegin ? 'password' : 'nothing';
  }

  async function shown(
    linked: LinkedChange,
    asks: Asks,
    visit: Visit | null,
    problem: AccountProblem | null = null,
  ): Promise<MailLink> {
    const { change } = linked;
    const asksProof = asks !== 'stop' && asks !== 'stopByPassword' && asks !== 'proof';
    const staffChange = {
      what: change.what,
      to: await shownValue(change),
      asks,
      asksMailbox:
        asksProof && asks !== 'begun' && change.what === 'email' && change.opened_at === null,
      hasKey: (asksProof || asks === 'stopByPassword') && linked.ways.isStrong,
      problem,
    };
    const phone = await ports.phone.shown(asksProof ? olderPhone(linked) : null, visit);
    return { ...OVER, state: 'open', ...phone, staffChange };
  }

  async function read(key: string, { visit, me }: Reader): Promise<MailLink> {
    const linked = await readLinkedChange(context, key);
    return linked ? shown(linked, await askedOf(linked, me), visit) : OVER;
  }

  async function stop({ account, change }: LinkedChange): Promise<Answer> {
    const outcome = await db
      .transaction()
      .execute((transaction) => stopChange({ ...context, db: transaction }, account.id, change.id));
    // It took effect at this moment.
    if (outcome === 'already') return { link: OVER };
    return { page: `${pathOf('staffChange')}?done=stopped` };
  }

  /** Makes the change count, or begins its 72 hours by the password; tells what was wrong. @throws AppError FORBIDDEN */
  async function change(
    linked: LinkedChange,
    asks: Asks,
    sent: FormData,
    { caller, me }: { readonly caller: Caller; readonly me: Me | null },
  ): Promise<Answer> {
    if (asks === 'nothing' || asks === 'begun') throw new AppError('FORBIDDEN');
    try {
      const typed = textOf(sent, 'password');
      if (
        (asks === 'password' || asks === 'stopByPassword') &&
        !(await isOwnPassword(ports.passwordCheck, linked.account, typed, caller))
      ) {
        const wrong = { message: 'passwordNowWrong', minutes: 0 } as const;
        return { link: await shown(linked, asks, caller.visit, wrong) };
      }
      if (asks === 'stopByPassword') return await stop(linked);
      return asks === 'password' ? await begin(linked) : await apply(linked, me);
    } catch (error) {
      return { link: await shown(linked, asks, caller.visit, problemOf(error)) };
    }
  }

  async function begin({ change: { id } }: LinkedChange): Promise<Answer> {
    if (!(await beginByPassword(context, id))) return { link: OVER };
    outbox.wake();
    return { page: `${pathOf('staffChange')}?done=begun` };
  }

  async function apply(linked: LinkedChange, me: Me | null): Promise<Answer> {
    for (const shown of shownBy(linked, me)) {
      if (!(await applyStaffChange(context, linked.change.id, shown))) continue;
      outbox.wake();
      return { page: `${pathOf('staffChange')}?done=changed` };
    }
    return { link: OVER };
  }

  return {
    read,

    /** Stops the change, makes it count by an older proof, or records that the new mailbox answered. */
    async submit(key: string, sent: FormData, caller: Caller, me: Me | null): Promise<Answer> {
      const linked = await readLinkedChange(context, key);
      if (!linked) return { link: OVER };
      const asks = await askedOf(linked, me);
      if (asks === 'stop') return stop(linked);
      if (asks === 'stopByPassword') return change(linked, asks, sent, { caller, me });
      switch (textOf(sent, 'do')) {
        case 'mailbox':
          await confirmMailbox(context, linked);
          return { link: await read(key, { visit: caller.visit, me }) };
        case 'send':
        case 'check':
          try {
            const isProven = await ports.phone.run(olderPhone(linked), sent, caller);
            return {
              page: `${pathOf('staffChange')}?${isProven ? 'done=changed' : `key=${encodeURIComponent(key)}`}`,
            };
          } catch (error) {
            const problem = problemOf(error);
            return { link: { ...(await shown(linked, asks, caller.visit)), problem } };
          }
        default:
          return change(linked, asks, sent, { caller, me });
      }
    },
  };
}

/** Returns what the holder of this link shows: the mailbox that it went to, and the session of this browser. */
const shownBy = ({ change }: LinkedChange, me: Me | null): readonly ShownProof[] => [
  // The link of a new address went there.
  ...(change.what === 'email' ? [] : [{ by: 'email' } as const]),
  ...(me ? [{ by: 'session', session: me } as const] : []),
];

/** Returns the phone that may prove it; `null` for none that is old enough. */
const olderPhone = ({ change, account, mayPhoneProve }: LinkedChange): OtpRecipient | null =>
  mayPhoneProve ? byText(account, { type: 'STAFF_CHANGE', subject: change.id }) : null;
