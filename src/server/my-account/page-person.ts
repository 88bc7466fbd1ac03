import type { Login } from '#domain/flow/visit.ts';
import { findActiveAccount } from '../accounts/account-store.ts';
import type { ServerContext } from '../core/context.ts';
import type { Cookies } from '../core/cookies.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { KeyPerson } from '../proofs/passkeys/passkeys.routes.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import type { StateOf } from '../sign-in/visit-state.ts';
import type { StepUp } from '../forms/step-up.ts';

export type PagePerson = ReturnType<typeof createPagePerson>;

/** Creates the lookup of a page's person, without a bearer: by the visit, in a browser that the account knows. */
export function createPagePerson(
  { db }: Pick<ServerContext, 'db'>,
  signIns: Pick<SignIns, 'findVisit'>,
  stateOf: StateOf,
  { isFreshIn }: Pick<StepUp, 'isFreshIn'>,
) {
  const read = async (visit: Visit, cookies: Cookies) =>
    (await stateOf(visit, { isForSwitcher: true, cookies })).login;
  return {
    /** Returns the session that a page of My account would show. */
    async loginOf(cookies: Cookies): Promise<Login | null> {
      const visit = await signIns.findVisit(cookies);
      return visit && read(visit, cookies);
    },
    /** Returns the person with the account, for a call of a page. */
    async withAccount(visit: Visit, cookies: Cookies): Promise<KeyPerson | null> {
      const login = await read(visit, cookies);
      const account = login?.signInId ? await findActiveAccount(db, login.loggedInUserId) : null;
      if (!login || !account) return null;
      return { account, signInId: login.signInId, isFresh: await isFreshIn(login) };
    },
  };
}
