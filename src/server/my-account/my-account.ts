import type { AccountData } from '#contract/my-account.ts';
import type { ScreenName } from '#domain/screens.ts';
import { findActiveAccount } from '../accounts/account-store.ts';
import type { ServerContext } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { Consents } from '../oauth-clients/consents.ts';
import type { Otps } from '../otp/otp-ports.ts';
import type { Recipients } from '../otp/recipients.ts';
import type { AccountForms, Me } from './account-page.ts';
import { createHelpers } from './helpers.ts';
import { createAppCodePage } from './app-codes.ts';
import { createName } from './name.ts';
import { createPeople } from './people.ts';
import type { HelpAskPorts } from './help-asks.ts';
import { createSessionsAndApps, sessionsOf } from './sessions-and-apps.ts';
import { createStepUp } from './step-up.ts';

type Ports = HelpAskPorts & {
  /** `null` with an Auth0 tenant, which keeps consents itself. */
  readonly consents: Pick<Consents, 'list' | 'revoke'> | null;
  readonly otps: Pick<Otps, 'send' | 'resend' | 'verify' | 'call' | 'callOffer'>;
  readonly recipients: Recipients;
  readonly subtenantName: (id: number) => Promise<string>;
};

export type MyAccount = {
  /** Returns the data of one of the person's pages. @throws AppError NO_SESSION when the account has ended */
  read(me: Me, visit: Visit, screen: ScreenName): Promise<AccountData>;
  /**
   * Runs the form of a page.
   * @returns the next page's address, or the data of the same page with its problems
   * @throws AppError BAD_REQUEST for an unknown form, NO_SESSION
   */
  submit(
    screen: ScreenName,
    me: Me,
    sent: FormData,
    caller: Caller,
  ): Promise<{ readonly page: string } | { readonly account: AccountData }>;
};

/** Creates the pages of My account: words in and words out; `administration/` changes the person. */
export function createMyAccount(context: ServerContext, ports: Ports): MyAccount {
  const { db, clock } = context;
  const { consents } = ports;
  const stepUp = createStepUp(context, ports);
  const helpers = createHelpers(context, ports.mails, stepUp);
  const people = createPeople(context, ports, stepUp);
  const appCodes = createAppCodePage(context, { stepUp, subtenantName: ports.subtenantName });
  const forms: AccountForms = {
    ...createName(context),
    ...createSessionsAndApps(context, consents, stepUp),
    ...appCodes.forms,
    ...helpers.forms,
    ...people.forms,
  };

  async function read(me: Me, visit: Visit, screen: ScreenName): Promise<AccountData> {
    const { loggedInUserId: id } = me;
    const account = await findActiveAccount(db, id);
    if (!account) throw new AppError('NO_SESSION');
    const now = clock.now();
    const { sessions, own } = await sessionsOf(context, me);
    const apps = (await consents?.list(id)) ?? [];
    const isFresh = stepUp.isFresh(own?.provedAt ?? null);
    const codeSentTo = isFresh ? null : await stepUp.codeSentTo(id, visit);
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
      helpers: await helpers.read(id),
      people: await people.read(account, screen === 'myPeople'),
      isFresh,
      codeSentTo,
      call: codeSentTo === null ? null : await stepUp.callOffer(id, visit),
      appCode: await appCodes.read(account, { screen, isFresh }),
      asksApp: account.hasAppCode,
      recoveryCodes: [],
      problems: {},
      typed: {},
    };
  }

  return {
    read,

    async submit(screen, me, sent, caller) {
      const form = forms[screen];
      if (!form) throw new AppError('BAD_REQUEST');
      const answer = sent.has('step')
        ? await stepUp.run(screen, me, sent, caller)
        : await form(me, sent, caller);
      if ('page' in answer) return answer;
      return { account: { ...(await read(me, caller.visit, screen)), ...answer } };
    },
  };
}
