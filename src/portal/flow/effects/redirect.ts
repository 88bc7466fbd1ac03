import type { Data } from '#contract/index.ts';
import { mayNeedCredential } from '#domain/flow/redirect.ts';
import { privacyHelpFor } from '#domain/privacy-help.ts';
import type { Login } from '#domain/visit.ts';
import { browserOf } from '../../lib/browser.ts';
import { forget, keep, recall } from '../../lib/storage.ts';
import { failureOf } from './answer.ts';
import type { Deps, Handlers } from './deps.ts';
import type { Begun } from './sign-in.ts';

type RedirectEffects =
  | 'checkSession'
  | 'loadUser'
  | 'recordLogin'
  | 'continueToClient'
  | 'issueHandoff'
  | 'leave';

/** The silent session check, recording the login, and the hand-off to a module (RED-03..14). */
export function redirectEffects(deps: Deps, begun: Begun): Handlers<RedirectEffects> {
  const { api, leave, request } = deps;
  return {
    ...sessionEffects(deps, begun),
    async recordLogin({ answer }, state) {
      const result = await api.call('recordLogin', {
        body: {
          authId: answer.code,
          appState: answer.state,
          // The backend exchanges the code: there is no token to tell about (ARC-06).
          expiresIn: null,
          userName: null,
          refereshToken: null,
          tokenType: null,
          clientIP: '::1',
          ...browserOf(navigator.userAgent),
        },
      });
      if (result.kind !== 'ok') {
        return result.errorFlag === 'OTP_REQUIRED' ? { type: 'codeRequired' } : failureOf(result);
      }
      keep('AuthToken', result.data.authToken);
      const login = toLogin(result.data);
      const entrance = state.at === 'redirect' ? state.entrance : 'portal';
      if (!mayNeedCredential(login, entrance)) forget('sealedCredential');
      return { type: 'loginRecorded', login, isForClient: request() !== null };
    },
    async continueToClient() {
      const result = await api.call('continueRequest', { body: { request: request() ?? '' } });
      if (result.kind === 'ok') return { type: 'handoffIssued', url: result.data.url };
      if (result.errorFlag === 'REQUEST_OVER') return { type: 'requestOver' };
      return result.errorFlag === 'SIGN_IN_AGAIN' ? { type: 'sessionEnded' } : failureOf(result);
    },
    async issueHandoff({ choice, entrance }) {
      const result = await api.call('issueHandoff', { body: { choice, entrance } });
      if (result.kind === 'ok') return { type: 'handoffIssued', url: handoffUrl(result.data) };
      if (result.errorFlag === 'HANDOFF_LOOP') return { type: 'handoffLooped' };
      return failureOf(result);
    },
    async leave({ url }) {
      forget('sealedCredential');
      leave(url);
      return null;
    },
  };
}

function sessionEffects(
  { api, identity }: Deps,
  begun: Begun,
): Handlers<'checkSession' | 'loadUser'> {
  return {
    async checkSession({ loginTicket }, state) {
      const fresh = loginTicket === null ? null : begun.authorizeUrl;
      begun.authorizeUrl = null;
      const entrance = state.at === 'redirect' ? state.entrance : 'portal';
      const begin = fresh
        ? ({ kind: 'ok', data: { authorizeUrl: fresh } } as const)
        : await api.call('beginSession', { body: { entrance, isFresh: false } });
      if (begin.kind !== 'ok') return failureOf(begin);
      const check = await identity.checkSession(
        begin.data.authorizeUrl,
        loginTicket === null ? {} : { loginTicket },
      );
      switch (check.kind) {
        case 'session':
          return { type: 'sessionFound', answer: { code: check.code, state: check.state } };
        case 'loginRequired':
          return { type: 'loginRequired', help: privacyHelpFor(navigator.userAgent) };
        case 'timeout':
        case 'failed':
          return { type: 'failed' };
      }
    },
    async loadUser({ email }) {
      const result = await api.call('getLoginUser', { query: { emailId: email ?? '' } });
      if (result.kind !== 'ok') return failureOf(result);
      if (result.data === null) return { type: 'noPendingSignIn' };
      return { type: 'userLoaded', userId: result.data.userId };
    },
  };
}

function toLogin(data: Data<'recordLogin'>): Login {
  const { appState, loggedInUserId, logUserLoginId, userName, memberName, userRoles } = data;
  return {
    appState,
    loggedInUserId,
    loggedInId: logUserLoginId,
    userName,
    memberName,
    roles: userRoles,
  };
}

/** For staff and role 20 the password travels along, sealed to the module (RED-12). */
function handoffUrl({ url, credentialFor }: Data<'issueHandoff'>): string {
  const sealed = credentialFor === null ? undefined : recall('sealedCredential')?.[credentialFor];
  return sealed ? `${url}&credential=${encodeURIComponent(sealed)}` : url;
}
