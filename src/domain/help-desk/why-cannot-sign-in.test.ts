import { expect, test } from 'vitest';
import { type SignInCause, type SignInFacts, whyCannotSignIn } from './why-cannot-sign-in.ts';

const FINE: SignInFacts = {
  status: 'active',
  hasPassword: true,
  lockedUntil: null,
  changeUntil: null,
  isRouted: true,
  missingModule: null,
  hasAppCode: false,
  lastMail: null,
  lastText: null,
  organisation: null,
  lastStep: null,
};
const by = (state: 'works' | 'away' | 'notLinked' | 'off') => ({
  organisation: { label: 'Rosewood', state, isOnly: false },
});
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
  ['wrongPassword', { lastStep: 'wrongPassword', lastMail: delivered, lastText: failed }],
  ['mailComesBack', { lastStep: 'wrongPassword', lastMail: failed }],
  ['mailComesBack', { lastStep: 'wrongPassword', lastMail: failed, hasAppCode: true }],
  ['mailComesBack', { lastStep: 'codeSent', lastMail: failed, lastText: failed }],
  ['changeWaits', { changeUntil: new Date(0) }],
  ['changeWaits', { changeUntil: new Date(0), lastStep: 'wrongPassword', lastMail: failed }],
  ['changeWaits', { changeUntil: new Date(0), hasPassword: false }],
  ['codeNotTyped', { changeUntil: new Date(0), lastStep: 'codeSent' }],
  ['phoneGetsNoTexts', { lastStep: 'codeSent', lastMail: delivered, lastText: failed }],
  ['codeNotTyped', { lastStep: 'codeSent', lastMail: delivered, lastText: delivered }],
  ['codeNotTyped', { lastStep: 'wrongCode' }],
  ['appCodeNotTyped', { lastStep: 'wrongCode', lastMail: failed, hasAppCode: true }],
  ['nothing', { hasAppCode: true }],
  ['nothing', by('works')],
  ['nothing', { ...by('works'), hasPassword: false, lastMail: failed, changeUntil: null }],
  ['codeNotTyped', { ...by('works'), hasPassword: false, lastStep: 'codeSent' }],
  ['offByOrganisation', { ...by('off'), status: 'inactive', hasPassword: false }],
  ['offByOrganisation', { ...by('off'), lastStep: 'wrongPassword' }],
  ['organisationAway', { ...by('away'), hasPassword: false }],
  ['organisationAway', { ...by('away'), lastStep: 'wrongPassword' }],
  ['switchedOff', { ...by('away'), status: 'inactive' }],
  ['notLinked', by('notLinked')],
  ['notLinked', { ...by('notLinked'), lastStep: 'wrongPassword', lastMail: failed }],
  ['noPassword', { ...by('notLinked'), hasPassword: false }],
  ['codeNotTyped', { ...by('notLinked'), lastStep: 'codeSent' }],
])('[OPS-16] N2: %s for %j', (cause, facts) => {
  expect(whyCannotSignIn({ ...FINE, ...facts })).toBe(cause);
});

const CAUSES: readonly (readonly [SignInCause, Partial<SignInFacts>])[] = [
  ['switchedOff', { status: 'inactive' }],
  ['neverVerified', { status: 'pending' }],
  ['noPassword', { hasPassword: false }],
  ['locked', { lockedUntil: new Date(0) }],
  ['noRole', { isRouted: false }],
  ['moduleNotSetUp', { missingModule: 'agent' }],
  ['changeWaits', { changeUntil: new Date(0) }],
  ['wrongPassword', { lastStep: 'wrongPassword' }],
  ['codeNotTyped', { lastStep: 'codeSent' }],
  ['offByOrganisation', by('off')],
  ['organisationAway', by('away')],
  ['notLinked', by('notLinked')],
];

test.each(CAUSES)(
  '[OPS-16] with mail that comes back beside %s, no mail is its mend',
  (cause, facts) => {
    const found = whyCannotSignIn({ ...FINE, ...facts, lastMail: failed });
    const isMended = ['neverVerified', 'noPassword', 'wrongPassword', 'codeNotTyped'].includes(
      cause,
    );
    expect(found).toBe(isMended ? 'mailComesBack' : cause);
  },
);

test('[OPS-16] of two causes the page names one of the two, whichever way they meet', () => {
  for (const [one, a] of CAUSES) {
    for (const [other, b] of CAUSES) {
      expect([one, other]).toContain(whyCannotSignIn({ ...FINE, ...a, ...b }));
    }
  }
});
