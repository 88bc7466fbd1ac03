import type { AccountData } from '#contract/my-account.ts';
import { pathOf, type ScreenName } from '#domain/screens.ts';
import { checkName } from '#domain/sign-up-form.ts';
import { OTP_MEDIUM, otpDigits, otpEntryProblem, type OtpMedium } from '#domain/otp.ts';
import type { Login } from '#domain/visit.ts';
import { findActiveAccount } from '../accounts/account-store.ts';
import { listSessions, signOut } from '../administration/sessions.ts';
import { setPerson } from '../administration/set-person.ts';
import { later } from '../clock.ts';
import type { ServerContext } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { Consents } from '../oauth-clients/consents.ts';
import type { Otps } from '../otp/otp-ports.ts';
import { findOpenOtp } from '../otp/otp-store.ts';
import type { Recipients } from '../otp/recipients.ts';
import { toSentOtp } from '../otp/send-otp.ts';

/** The age of a sign-in that still ends sessions, in milliseconds (decisions of My account). */
const FRESH_MS = 10 * 60 * 1000;

/** The signed-in person of a page. */
type Me = Pick<Login, 'loggedInUserId' | 'signInId'>;

type Ports = {
  /** `null` with an Auth0 tenant, which keeps consents itself. */
  readonly consents: Pick<Consents, 'list' | 'revoke'> | null;
  readonly otps: Pick<Otps, 'send' | 'verify'>;
  readonly recipients: Recipients;
};

/** The answer to a form: the next page's address, or the same page with its problems. */
export type AccountAnswer = { readonly page: string } | { readonly account: AccountData };

export type MyAccount = {
  /** Returns the data of the person's pages. @throws AppError NO_SESSION when the account has ended */
  read(me: Me, visit: Visit): Promise<AccountData>;
  /** Runs the form of a page. @throws AppError BAD_REQUEST for an unknown form, NO_SESSION */
  submit(screen: ScreenName, me: Me, sent: FormData, caller: Caller): Promise<AccountAnswer>;
};

/** Creates the pages of My account: words in and words out; `administration/` changes the person. */
export function createMyAccount(
  context: ServerContext,
  { consents, otps, recipients }: Ports,
): MyAccount {
  const { db, clock, outbox } = context;

  async function read({ loggedInUserId: id, signInId }: Me, visit: Visit): Promise<AccountData> {
    const account = await findActiveAccount(db, id);
    if (!account) throw new AppError('NO_SESSION');
    const now = clock.now();
    const sessions = await listSessions(context, { id });
    const own = sessions.find((each) => each.id === signInId);
    const apps = (await consents?.list(id)) ?? [];
    const provedAt = own?.provedAt ?? null;
    const isFresh = provedAt !== null && provedAt > later(now, -FRESH_MS);
    return {
      firstName: account.first_name,
      lastName: account.last_name,
      email: account.email,
      phone: account.mobile && `${account.dial_code}${account.mobile}`,
      devices: sessions.map((each) => ({
        id: each.id,
        name: each.browser,
        agoMs: Math.max(0, now.getTime() - each.seenAt.getTime()),
        isHere: each === own,
      })),
      apps: apps.map(({ clientId, name }) => ({ clientId, name })),
      isFresh,
      codeSentTo: isFresh ? null : await codeSentTo(id, visit),
      problems: {},
    };
  }

  /** Returns the open code of a step-up in this visit, with its recipient. */
  async function openCode(id: number, visit: Visit) {
    const recipient = await recipients.find('STEP_UP', id, visit);
    const open = await findOpenOtp(db, recipient, visit.id);
    return open && { open, recipient };
  }

  async function codeSentTo(id: number, visit: Visit): Promise<string | null> {
    const code = await openCode(id, visit);
    if (!code) return null;
    const { open, recipient } = code;
    const { sentTo } = toSentOtp(
      { ...open, medium: open.medium as OtpMedium },
      recipient,
      clock.now(),
    );
    return [sentTo.email, sentTo.phone].filter((each) => each !== null).join(', ');
  }

  /** Sends or checks the code of a step-up. A refusal is told on the same page. */
  async function stepUp(me: Me, sent: FormData, caller: Caller): Promise<AccountAnswer> {
    const id = me.loggedInUserId;
    try {
      if (textOf(sent, 'step') === 'send') {
        const recipient = await recipients.find('STEP_UP', id, caller.visit);
        await otps.send(recipient, OTP_MEDIUM.both, caller);
      } else {
        const code = await openCode(id, caller.visit);
        if (!code) throw new AppError('OTP_EXPIRED');
        const otp = otpDigits(textOf(sent, 'code'));
        if (otpEntryProblem(otp)) throw new AppError('INVALID_OTP');
        await otps.verify({ id: code.open.id, userId: id, otp }, caller);
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const problems = { code: error.messages.join(' ') };
      return { account: { ...(await read(me, caller.visit)), problems } };
    }
    return { page: pathOf('myDevices') };
  }

  async function changeName(me: Me, sent: FormData, visit: Visit): Promise<AccountAnswer> {
    const typed = { firstName: textOf(sent, 'firstName'), lastName: textOf(sent, 'lastName') };
    const checked = checkName(typed);
    if (!checked.isValid) {
      return { account: { ...(await read(me, visit)), ...typed, problems: checked.problems } };
    }
    await setPerson(context, me.loggedInUserId, checked.values);
    return savedPage;
  }

  /** Ends one session by its id, or with `others` all but that of this page. */
  async function endSessions(me: Me, which: string, visit: Visit): Promise<AccountAnswer> {
    const { devices, isFresh } = await read(me, visit);
    if (!isFresh) return { page: pathOf('myDevices') };
    const ending = devices.filter(
      ({ id, isHere }) => !isHere && (which === 'others' || id === which),
    );
    for (const { id } of ending) await signOut(context, { id: me.loggedInUserId }, id);
    outbox.wake();
    return { page: pathOf('myDevices') };
  }

  return {
    read,

    async submit(screen, me, sent, caller) {
      if (screen === 'myName') return changeName(me, sent, caller.visit);
      if (screen === 'myDevices') {
        if (sent.has('step')) return stepUp(me, sent, caller);
        return endSessions(me, textOf(sent, 'session'), caller.visit);
      }
      if (screen === 'myApps') {
        await consents?.revoke(me.loggedInUserId, textOf(sent, 'client'));
        return { page: pathOf('myApps') };
      }
      throw new AppError('BAD_REQUEST');
    },
  };
}

const savedPage = { page: `${pathOf('myAccount')}?saved=1` } as const;

function textOf(sent: FormData, name: string): string {
  const value = sent.get(name);
  return typeof value === 'string' ? value : '';
}
