import { expect, test } from 'vitest';
import { type SignInCause, type SignInFacts, whyCannotSignIn } from './why-cannot-sign-in.ts';

const FINE: SignInFacts = {
  status: 'active',
  hasPassword: true,
  lockedUntil: null,
  isRouted: true,
  missingModule: null,
  hasAppCode: false,
  lastMail: null,
  lastText: null,
  lastStep: null,
};
const failed = { state: 'failed', reason: 'invalid' } as const;
const delivered = { state: 'delivered', reason: null } as const;

test.each<readonly [SignInCause, Partial<SignInFacts>]>([
  ['nothing', {}],
  ['nothing', { lastText: failed }],
  ['switchedOff', { status: 'inactive', hasPassword: false, lastStep: 'wrongPassword' }],
  ['neverVerified', { status: 'pending', lastStep: 'wrongPassword', lastMail: delivered }],
  ['mailComesBack', { status: 'pending', lastMail: failed }],
  ['noPassword', { hasPassword: false }],
  ['mailComesBack', { hasPassword: false, lastMail: failed }],
  ['locked', { lockedUntil: new Date(0), lastStep: 'wrongPassword' }],
  ['noRole', { isRouted: false, lastStep: 'codeSent' }],
  ['moduleNotSetUp', { missingModule: 'agent' }],
  ['wrongPassword', { lastStep: 'wrongPassword', lastMail: failed }],
  ['mailComesBack', { lastStep: 'codeSent', lastMail: failed, lastText: failed }],
  ['phoneGetsNoTexts', { lastStep: 'codeSent', lastMail: delivered, lastText: failed }],
  ['codeNotTyped', { lastStep: 'codeSent', lastMail: delivered, lastText: delivered }],
  ['codeNotTyped', { lastStep: 'wrongCode' }],
  ['appCodeNotTyped', { lastStep: 'wrongCode', lastMail: failed, hasAppCode: true }],
  ['nothing', { hasAppCode: true }],
])('[OPS-16] N2: %s for %j', (cause, facts) => {
  expect(whyCannotSignIn({ ...FINE, ...facts })).toBe(cause);
});
