import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Data } from '#contract/index.ts';
import { CAPTCHA_HEADER } from '#contract/routes.ts';
import type { Binder } from '../http/bind.ts';
import type { Captcha } from '../abuse/captcha.ts';
import type { FindPendingUser } from './pending-user.ts';
import type { SignIns } from './sign-ins.ts';
import type { SignOut } from './sign-out.ts';

type Deps = {
  readonly signIns: SignIns;
  /** The keys of modules, sent with each sign-in that begins: the browser encrypts after the right password. */
  readonly sealedModules: Data<'beginSession'>['sealedModules'];
  readonly captcha: Captcha;
  readonly findPendingUser: FindPendingUser;
  readonly signOut: SignOut;
  /**
   * Runs after a complete sign-in: its browser is remembered, and the owner notified of a new one.
   * @returns whether a saved key is offered before the hand-off
   */
  readonly afterRecorded: (
    signedIn: Awaited<ReturnType<SignIns['record']>>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<boolean>;
};

/** Binds the calls of sign-in. */
export function bindSignIn(bind: Binder, deps: Deps): void {
  const { signIns, sealedModules, captcha, findPendingUser, signOut, afterRecorded } = deps;
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
    const offersKey = await afterRecorded(signedIn, request, reply);
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
    await signOut(visit, request, reply);
    return true;
  });
}
