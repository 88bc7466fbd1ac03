import type { AccountData } from '#contract/my-account.ts';
import { pathOf, type ScreenName } from '#domain/screens.ts';
import { checkName } from '#domain/sign-up-form.ts';
import type { Login } from '#domain/visit.ts';
import { findActiveAccount } from '../accounts/account-store.ts';
import { listSessions, signOut } from '../administration/sessions.ts';
import { setPerson } from '../administration/set-person.ts';
import { later } from '../clock.ts';
import type { ServerContext } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import type { Consents } from '../oauth-clients/consents.ts';

/** The age of a sign-in that still ends sessions, in milliseconds (decisions of My account). */
const FRESH_MS = 10 * 60 * 1000;

/** The signed-in person of a page. */
type Me = Pick<Login, 'loggedInUserId' | 'signInId'>;

/** The answer to a form: the next page's address, or the same page with its problems. */
export type AccountAnswer = { readonly page: string } | { readonly account: AccountData };

export type MyAccount = {
  /** Returns the data of the person's pages. @throws AppError NO_SESSION when the account has ended */
  read(me: Me): Promise<AccountData>;
  /** Runs the form of a page. @throws AppError BAD_REQUEST for an unknown form, NO_SESSION */
  submit(screen: ScreenName, me: Me, sent: FormData): Promise<AccountAnswer>;
};

/** Creates the pages of My account: words in and words out; `administration/` changes the person. */
export function createMyAccount(
  context: ServerContext,
  consents: Pick<Consents, 'list' | 'revoke'> | null,
): MyAccount {
  const { db, clock, outbox } = context;

  async function read({ loggedInUserId: id, signInId }: Me): Promise<AccountData> {
    const account = await findActiveAccount(db, id);
    if (!account) throw new AppError('NO_SESSION');
    const now = clock.now();
    const sessions = await listSessions(context, { id });
    const own = sessions.find((each) => each.id === signInId);
    const apps = (await consents?.list(id)) ?? [];
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
      isFresh: own !== undefined && own.startedAt > later(now, -FRESH_MS),
      problems: {},
    };
  }

  async function changeName(me: Me, sent: FormData): Promise<AccountAnswer> {
    const typed = { firstName: textOf(sent, 'firstName'), lastName: textOf(sent, 'lastName') };
    const checked = checkName(typed);
    if (!checked.isValid) {
      return { account: { ...(await read(me)), ...typed, problems: checked.problems } };
    }
    await setPerson(context, me.loggedInUserId, checked.values);
    return savedPage;
  }

  /** Ends one session by its id, or with `others` all but that of this page. */
  async function endSessions(me: Me, which: string): Promise<AccountAnswer> {
    const { devices, isFresh } = await read(me);
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

    async submit(screen, me, sent) {
      if (screen === 'myName') return changeName(me, sent);
      if (screen === 'myDevices') return endSessions(me, textOf(sent, 'session'));
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
