import { CAPTCHA_HEADER } from '#contract/routes.ts';
import type { Captcha } from '../abuse/captcha.ts';
import { type ModuleConfig, sealedKeysOf } from '../config/modules-file.ts';
import type { ServerContext } from '../core/context.ts';
import type { SharedDevices } from '../counter/shared-devices.ts';
import type { Binder } from '../http/bind.ts';
import type { VisitCookie } from '../http/visit-cookie.ts';
import type { IdentityProvider } from '../identity-provider/port.ts';
import type { DeliveryOf } from '../proofs/otp/code-delivery.ts';
import type { KeyOffers } from '../proofs/passkeys/key-offers.ts';
import { createFindPendingUser } from './pending-user.ts';
import type { RememberBrowser } from './remember-browser.ts';
import type { SignIns } from './sign-ins.ts';
import { createSignOut } from './sign-out.ts';
import type { StateOf } from './visit-state.ts';

type Deps = {
  readonly signIns: SignIns;
  readonly visits: VisitCookie;
  readonly identityProvider: Pick<IdentityProvider, 'endSession' | 'settings'>;
  /** Their keys are sent with each sign-in that begins: the browser encrypts after the right password. */
  readonly modules: readonly ModuleConfig[];
  readonly captcha: Captcha;
  readonly rememberBrowser: RememberBrowser;
  readonly sharedDevices: Pick<SharedDevices, 'isShared'>;
  readonly keyOffers: Pick<KeyOffers, 'isDue'>;
  readonly stateOf: StateOf;
  readonly deliveryOf: DeliveryOf;
};

/** Binds the calls of sign-in, and that of a visit's step. */
export function bindSignIn(bind: Binder, context: ServerContext, deps: Deps): void {
  const {
    signIns,
    visits,
    captcha,
    rememberBrowser,
    sharedDevices,
    keyOffers,
    stateOf,
    deliveryOf,
  } = deps;
  const sealedModules = sealedKeysOf(deps.modules);
  const findPendingUser = createFindPendingUser(context, signIns);
  const signOut = createSignOut(deps);
  bind(
    'beginSession',
    async ({ body, visit, ip, request }) => {
      // The hosted login's calls carry no captcha solution: it is sent before, and the password check consumes it.
      if (request.headers[CAPTCHA_HEADER]) await captcha.store('signIn', { visit, ip, request });
      return { ...(await signIns.begin(visit, body)), sealedModules };
    },
    { with: 'signIn' },
  );
  bind('recordLogin', async ({ body, visit, ip, request, reply }) => {
    const answer = { code: body.authId, state: body.appState };
    const { cookies } = request;
    const signedIn = await signIns.record(answer, { visit, ip, cookies });
    const isSharedDevice = await sharedDevices.isShared(cookies);
    const device = await rememberBrowser(signedIn, isSharedDevice, request, reply);
    const offersKey =
      signedIn.isFirst && (await keyOffers.isDue({ ...signedIn, device, isSharedDevice }));
    return {
      appState: signedIn.appState,
      loggedInUserId: signedIn.userId,
      logUserLoginId: signedIn.signInId,
      roleId: signedIn.roles[0]?.roleId ?? null,
      userName: signedIn.userName,
      memberName: signedIn.memberName,
      userRoles: [...signedIn.roles],
      isClosing: signedIn.isClosing,
      authToken: signedIn.authToken,
      offersKey,
    };
  });
  bind('getLoginUser', ({ query, visit }) => findPendingUser(query.emailId, visit), {
    with: 'signIn',
  });
  bind('logOut', async ({ visit, request, reply }) => {
    const hasEnded = await signOut(visit, request, reply);
    await visits.renew(request, reply);
    return hasEnded;
  });
  bind('getVisit', async ({ visit, query, request: { headers, cookies } }) => {
    const hasBearer = await signIns.isKnown(headers.authorization, visit);
    const state = await stateOf(visit, { interaction: query.request, hasBearer, cookies });
    return { ...state, delivery: state.code && (await deliveryOf(visit, state.code)) };
  });
}
