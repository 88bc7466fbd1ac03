import type { Boot } from '../../boot.ts';
import { forget, keep } from '../../lib/storage.ts';
import { callWithProof, isCaptchaNeeded } from '../../lib/captcha.ts';
import { captchaFailed, failureOf, limitedFor } from './answer.ts';
import type { Deps, Handlers } from './deps.ts';

/** The address of the fresh authorization request, kept from the password until the first silent check. */
export type Begun = { authorizeUrl: string | null };

/** Whether the user exists, then the password at the hosted login (SIN-06, SIN-07). */
export function signInEffects(
  { api, settings, identity }: Deps,
  begun: Begun,
): Handlers<'checkUser' | 'authenticate'> {
  return {
    async checkUser({ email }) {
      const result = await api.call('checkUser', { params: { email } });
      if (result.kind !== 'ok') return failureOf(result);
      if (result.data) keep('exist', true);
      else forget('exist');
      return { type: 'userChecked', isKnown: result.data };
    },
    async authenticate({ entrance, email, password }) {
      const { base, clientId, realm } = settings.hostedLogin;
      const credentials = { base, clientId, realm, username: email, password };
      const input = { body: { entrance, isFresh: true } };
      let begin = await api.call('beginSession', input);
      if (begin.kind !== 'ok') return failureOf(begin);
      let answer = await identity.authenticate(credentials);
      if (answer.kind === 'proofNeeded') {
        begin = await callWithProof(api, 'beginSession', input, 'signIn');
        if (isCaptchaNeeded(begin)) return captchaFailed(settings);
        if (begin.kind !== 'ok') return failureOf(begin);
        answer = await identity.authenticate(credentials);
      }
      switch (answer.kind) {
        case 'wrong':
          return { type: 'passwordRefused' };
        case 'proofNeeded':
          return captchaFailed(settings);
        case 'tooMany':
          return limitedFor(answer.retryAfterSeconds);
        case 'failed':
          return { type: 'failed' };
        case 'ok': {
          const { appState, authorizeUrl } = begin.data;
          begun.authorizeUrl = authorizeUrl;
          keep('userCred', appState);
          await sealFor(settings.sealedModules, password, appState);
          return { type: 'passwordAccepted', loginTicket: answer.loginTicket };
        }
      }
    },
  };
}

/** The password itself is gone after this: what stays, only the modules can open (HND-05). */
async function sealFor(
  modules: Boot['settings']['sealedModules'],
  password: string,
  appState: string,
): Promise<void> {
  forget('sealedCredential');
  if (modules.length === 0) return;
  try {
    const { seal } = await import('../../lib/seal.ts');
    const iat = Math.floor(Date.now() / 1000);
    const pairs = await Promise.all(
      modules.map(async ({ module, publicKey }) => {
        const content = { pwd: password, txn: appState, aud: module, iat };
        return [module, await seal(content, publicKey as JsonWebKey)] as const;
      }),
    );
    keep('sealedCredential', Object.fromEntries(pairs));
  } catch {
    // Without WebCrypto (plain http) a module asks for the password itself; the sign-in goes on.
  }
}
