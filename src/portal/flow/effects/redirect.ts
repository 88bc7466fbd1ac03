import type { Data } from '#contract/index.ts';
import { mayNeedCredential } from '#domain/flow/redirect.ts';
import { privacyHelpFor } from '#domain/people/privacy-help.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { Login } from '#domain/flow/visit.ts';
import { browserOf } from '../../lib/browser.ts';
import { CLIENT_IP } from '../../lib/client-ip.ts';
import { failedOffline } from '../../lib/online.ts';
import { removeItems, setItem } from '../../lib/storage.ts';
import { handOffUrl, wanted } from '../app-password.ts';
import { failureEvent, unanswered } from './answer.ts';
import type { Deps, SomeHandlers } from './deps.ts';
import type { Begun } from './sign-in.ts';

/** The silent session check, recording the login, and the hand-off to a module (RED-03..14). */
export function redirectEffects(deps: Deps, begun: Begun) {
  const { api, leave, interaction, nextPage } = deps;
  return {
    ...sessionEffects(deps, begun),
    async recordLogin({ answer }, state) {
      const result = await api.call('recordLogin', {
        body: {
          authId: answer.code,
          appState: answer.state,
          // The backend exchanges the code (ARC-06), so the browser has no token expiry to report.
          expiresIn: null,
          userName: null,
          refereshToken: null,
          tokenType: null,
          clientIP: CLIENT_IP,
          ...browserOf(deps.userAgent),
        },
      });
      if (result.kind !== 'ok') {
        return result.errorFlag === 'OTP_REQUIRED'
          ? { type: 'otpStepRequired' }
          : failureEvent(result);
      }
      setItem('AuthToken', result.data.authToken);
      const login = toLogin(result.data);
      const entrance = state.at === 'redirect' ? state.entrance : 'portal';
      if (!mayNeedCredential(login, entrance)) removeItems('sealedCredential');
      const isForClient = interaction() !== null;
      const next = result.data.isClosing ? pathOf('myClosing') : nextPage();
      const offersKey = result.data.offersKey && (await deps.offersKey(isForClient));
      return { type: 'loginRecorded', login, isForClient, offersKey, nextPage: next };
    },
    async continueToClient() {
      const result = await api.call('continueInteraction', {
        body: { request: interaction() ?? '' },
      });
      if (result.kind === 'ok') return { type: 'handoffIssued', url: result.data.url };
      if (result.errorFlag === 'REQUEST_OVER') return { type: 'interactionOver' };
      return result.errorFlag === 'SIGN_IN_AGAIN' ? { type: 'sessionEnded' } : failureEvent(result);
    },
    async issueHandoff({ choice, entrance }) {
      // Without script nothing can be sealed, and so nothing is asked.
      const isAsked = import.meta.env.SSR;
      const result = await api.call('issueHandoff', { body: { choice, entrance, isAsked } });
      if (result.kind === 'ok') return { type: 'handoffIssued', url: handOffUrl(result.data) };
      if (result.errorFlag === 'OTP_REQUIRED') return { type: 'otpStepRequired' };
      if (result.errorFlag === 'PASSWORD_WANTED') {
        wanted.set({ choice, entrance });
        return { type: 'passwordWanted' };
      }
      if (result.errorFlag === 'HANDOFF_LOOP') {
        return { type: 'handoffRefused', say: { key: 'handoffLoop' } };
      }
      // Their texts are the server's: one has a reference.
      const isExplained = ['MODULE_MISSING', 'NOT_SHARED'].includes(result.errorFlag ?? '');
      if (result.kind === 'refused' && isExplained) {
        return { type: 'handoffRefused', say: { text: result.messages.join(' ') } };
      }
      return failureEvent(result);
    },
    async leave({ url }) {
      removeItems('sealedCredential');
      leave(url);
      return null;
    },
  } satisfies SomeHandlers;
}

function sessionEffects({ api, identity, userAgent }: Deps, begun: Begun) {
  return {
    async checkSession({ loginTicket }, state) {
      const fresh = loginTicket === null ? null : begun.authorizeUrl;
      const entrance = state.at === 'redirect' ? state.entrance : 'portal';
      const begin = fresh
        ? ({ kind: 'ok', data: { authorizeUrl: fresh } } as const)
        : await api.call('beginSession', { body: { entrance, isFresh: false } });
      if (begin.kind !== 'ok') return failureEvent(begin);
      const check = await identity.checkSession(
        begin.data.authorizeUrl,
        loginTicket === null ? {} : { loginTicket },
      );
      switch (check.kind) {
        case 'session':
          return { type: 'sessionFound', answer: { code: check.code, state: check.state } };
        case 'loginRequired':
          return { type: 'loginRequired', help: privacyHelpFor(userAgent) };
        case 'timeout':
          return { type: failedOffline() ? 'offline' : 'checkTimedOut' };
        case 'failed':
          return unanswered();
      }
    },
    async loadUser({ email }) {
      const result = await api.call('getLoginUser', { query: { emailId: email ?? '' } });
      if (result.kind !== 'ok') return failureEvent(result);
      if (result.data === null) return { type: 'noPendingSignIn' };
      const { userId, emailId, mobileNo } = result.data;
      return { type: 'userLoaded', userId, sendOn: [emailId, mobileNo].join(', ') };
    },
  } satisfies SomeHandlers;
}

function toLogin(data: Data<'recordLogin'>): Login {
  const { appState, loggedInUserId, logUserLoginId: signInId, userName, memberName } = data;
  return { appState, loggedInUserId, signInId, userName, memberName, roles: data.userRoles };
}
