/** [FED-02] Which factors begin a session, and which clients accept them. */

import { describe, expect, test } from 'vitest';
import { ACR, acrOf } from './acr.ts';
import { acceptsSignIn, hasSecondFactor } from './factors.ts';
import { clientsOf } from './testing/test-provider.ts';

const [plain] = clientsOf('http://localhost');
const CLIENTS = {
  plain,
  refusing: plain && { ...plain, organisation: false },
  passwordless: plain && { ...plain, grants: ['passwordless'] },
  // A code that joined an organisation's answer is no passwordless one.
  both: plain && { ...plain, organisation: false, grants: ['passwordless'] },
};

describe('[FED-02] a sign-in, as clients take it', () => {
  const ORG = ACR.organisation;
  const KEY = ['pop', 'user', 'mfa'];
  test.each<[readonly string[], string | undefined, readonly (keyof typeof CLIENTS)[], boolean]>([
    [['pwd', 'otp'], undefined, ['plain', 'refusing', 'passwordless', 'both'], true],
    [KEY, undefined, ['plain', 'refusing', 'passwordless', 'both'], true],
    [['otp'], ACR.code, ['passwordless', 'both'], true],
    [['fed', 'otp'], ORG, ['plain', 'passwordless'], true],
    [['fed'], ORG, ['plain', 'passwordless'], true],
    // What does not say that both steps were done is nothing.
    [['fed'], undefined, [], false],
    [['fed'], ACR.code, [], false],
    [['fed'], ACR.passwordAndCode, [], false],
    [['fed', 'otp'], undefined, [], true],
    [['pwd'], undefined, [], false],
    [['pwd'], ORG, [], false],
    [['mfa'], ORG, [], false],
  ])('%j with the acr %s', (amr, acr, accepting, isSecond) => {
    const accepted = Object.entries(CLIENTS).filter(([, each]) => acceptsSignIn(each, amr, acr));
    expect(accepted.map(([name]) => name)).toEqual(accepting);
    expect(hasSecondFactor(amr, acr)).toBe(isSecond);
  });

  test('the answer of an organisation alone tells no acr that begins a session', () => {
    expect(hasSecondFactor(['fed'], acrOf(['fed']))).toBe(false);
    expect(acrOf(['fed', 'otp'])).toBe(ORG);
  });
});
