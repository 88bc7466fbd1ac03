import type { FastifyReply, FastifyRequest } from 'fastify';
import { CAPTCHA_HEADER } from '#contract/routes.ts';
import { canonicalEmail } from '#domain/validation.ts';
import { maskEmail, maskPhone } from '#domain/otp.ts';
import type { Db } from '../db/database.ts';
import type { Binder } from '../http/bind.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { Captcha } from '../abuse/captcha.ts';
import type { SignIns } from './sign-ins.ts';

type Deps = {
  readonly db: Db;
  readonly signIns: SignIns;
  readonly captcha: Captcha;
  /** A sign-in is complete: its browser is remembered, and a new one is told about. */
  readonly afterRecorded: (
    userId: number,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<void>;
  readonly endProviderSession: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Otherwise the browser itself goes to the hosted login's logout address, and comes here first. */
  readonly endsWithApi: boolean;
};

export function bindSessions(bind: Binder, deps: Deps): void {
  const { db, signIns, captcha, afterRecorded, endProviderSession, endsWithApi } = deps;
  bind('beginSession', async ({ body, visit, ip, request }) => {
    // The hosted login's wire takes no proof: it comes ahead, and the password check uses it up.
    if (request.headers[CAPTCHA_HEADER]) await captcha.store('signIn', { visit, ip, request });
    return signIns.begin(visit, body);
  });

  bind('recordLogin', async ({ body, visit, ip, request, reply }) => {
    const login = await signIns.record(visit, { code: body.authId, state: body.appState }, ip);
    await afterRecorded(login.loggedInUserId, request, reply);
    return {
      appState: login.appState,
      loggedInUserId: login.loggedInUserId,
      logUserLoginId: login.signInId,
      roleId: login.roles[0]?.roleId ?? null,
      userName: login.userName,
      memberName: login.memberName,
      userRoles: [...login.roles],
      authToken: login.authToken,
    };
  });

  /** Only for the person whose password this visit just gave, and only masked (security D16). */
  bind('getLoginUser', async ({ query, visit }) => {
    const signIn = await signIns.current(visit);
    const isPending = signIn?.user_id && signIn.stage !== 'password';
    const own = isPending ? signIn : await unverified(visit);
    if (!own?.user_id) return null;
    const user = await db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', own.user_id)
      .executeTakeFirst();
    const isOwn =
      user && (query.emailId === '' || canonicalEmail(query.emailId) === user.email_canonical);
    if (!isOwn) return null;
    return {
      id: own.id,
      userId: user.id,
      signUpPlatform: user.sign_up_platform,
      emailId: maskEmail(user.email),
      mobileNo: maskPhone(user.mobile),
      userName: maskEmail(user.email),
    };
  });

  /** The pending account this visit was told to verify (PWD-04). */
  async function unverified(visit: Visit) {
    return db
      .selectFrom('visits')
      .select(['id', 'unverified_user_id as user_id'])
      .where('id', '=', visit.id)
      .executeTakeFirst();
  }

  bind('logOut', async ({ visit, request, reply }) => {
    const hasEnded = await signIns.end(request.headers.authorization, visit);
    if (hasEnded) await endProviderSession(request, reply);
    // A tenant cannot tell us who signs out there: without a bearer, our own page does (security D12: no other site can).
    else if (!endsWithApi && isOwnScript(request)) await signIns.endVisit(visit);
    return true;
  });
}

function isOwnScript({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-dest'] === 'empty';
}
