import { removeItems, setItem } from '../../lib/storage.ts';
import { sealPassword } from '../app-password.ts';
import { callWithSolution, isCaptchaNeeded } from '../../lib/captcha.ts';
import { captchaFailed, failureEvent, limitEvent, unanswered } from './answer.ts';
import type { Deps, SomeHandlers } from './deps.ts';

/** The new authorization request, kept from the password step until the first silent check. */
export type Begun = { authorizeUrl: string | null };

/** Checks whether the user exists, then the password at the hosted login (SIN-06, SIN-07). */
export function signInEffects({ api, settings, identity }: Deps, begun: Begun) {
  return {
    async checkUser({ email }) {
      const result = await api.call('checkUser', { params: { email } });
      if (result.kind !== 'ok') return failureEvent(result);
      if (result.data) setItem('exist', true);
      else removeItems('exist');
      return { type: 'userChecked', isKnown: result.data };
    },
    async authenticate({ entrance, email, password }) {
      const { base, clientId, realm } = settings.hostedLogin;
      const credentials = { base, clientId, realm, username: email, password };
      const input = { body: { entrance, isFresh: true } };
      let begin = await api.call('beginSession', input);
      if (begin.kind !== 'ok') return failureEvent(begin);
      let answer = await identity.authenticate(credentials);
      if (answer.kind === 'captchaNeeded') {
        begin = await callWithSolution(api, 'beginSession', input, 'signIn');
        if (isCaptchaNeeded(begin)) return captchaFailed();
        if (begin.kind !== 'ok') return failureEvent(begin);
        answer = await identity.authenticate(credentials);
      }
      switch (answer.kind) {
        case 'wrong':
          return { type: 'passwordRefused' };
        case 'captchaNeeded':
          return captchaFailed();
        case 'tooMany':
          return limitEvent(answer.retryAfterSeconds);
        case 'failed':
          return unanswered();
        case 'ok': {
          const { appState, authorizeUrl, sealedModules } = begin.data;
          begun.authorizeUrl = authorizeUrl;
          setItem('userCred', appState);
          await sealPassword(sealedModules, password, appState);
          return { type: 'passwordAccepted', loginTicket: answer.loginTicket };
        }
      }
    },
  } satisfies SomeHandlers;
}
