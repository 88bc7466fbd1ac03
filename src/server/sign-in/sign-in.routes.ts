import type { FastifyRequest } from 'fastify';
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

const isOwnScript = ({ headers }: FastifyRequest) =>
  headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-dest'] === 'empty';

/** Binds the calls of sign-in, and that of a visit's step. */
export function bindSignIn(bind: Binder, context: ServerContext, deps: Deps): void {
  const { signIns, visits, identityProvider, captcha, sharedDevices } = deps;
  const sealedModules = sealedKeysOf(deps.modules);
  const findPendingUser = createFindPendingUser(context, signIns);
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
    const device = await deps.rememberBrowser(signedIn, isSharedDevice, request, reply);
    const offersKey =
      signedIn.isFirst && (await deps.keyOffers.isDue({ ...signedIn, device, isSharedDevice }));
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
    // A page may still hold an earlier bearer: then no session ends.
    const hasEnded = await signIns.end(request.headers.authorization, visit);
    if (hasEnded) await identityProvider.endSession(request, reply);
    // A tenant does not report sign-outs: without a bearer, our own page does (D12: no other site can).
    else if (!identityProvider.settings.endsWithApi && isOwnScript(request)) {
      await signIns.endVisit(visit);
    }
    await visits.renew(request, reply);
    return hasEnded;
  });
  bind('getVisit', async ({ visit, query, request: { headers, cookies } }) => {
    const hasBearer = await signIns.isKnown(headers.authorization, visit);
    const state = await deps.stateOf(visit, { interaction: query.request, hasBearer, cookies });
    return { ...state, delivery: state.code && (await deps.deliveryOf(visit, state.code)) };
  });
}
