import { describe, expect, it, test } from 'vitest';
import { at, PASSWORD, run } from '../testing/samples.ts';
import { EMPTY_SIGN_IN } from './initial-state.ts';
import type { FlowEvent } from './event.ts';

const EMAIL = 'margaret@example.org';
const submitted: FlowEvent = {
  type: 'signInSubmitted',
  email: EMAIL,
  password: PASSWORD,
  entrance: 'legalStaff',
};
const known: FlowEvent = { type: 'userChecked', isKnown: true };
const REFUSED = {
  ...EMPTY_SIGN_IN,
  entrance: 'legalStaff',
  failures: 1,
  problem: { where: 'form', say: { key: 'wrongCredentials' }, canRetry: false },
};

describe('sign-in', () => {
  it('[SIN-06] "The product first checks that the user exists"', () => {
    const { state, effects } = run(EMPTY_SIGN_IN, [submitted]);
    expect(at(state, 'signIn')).toMatchObject({ step: 'checking', entrance: 'legalStaff' });
    expect(effects).toEqual([{ do: 'checkUser', email: EMAIL }]);
  });

  it('[SIN-07] "Otherwise it signs in to the hosted login" with what was typed', () => {
    const { state, effects } = run(EMPTY_SIGN_IN, [submitted, known]);
    expect(at(state, 'signIn').step).toBe('authenticating');
    expect(effects.slice(1)).toEqual([
      { do: 'authenticate', entrance: 'legalStaff', email: EMAIL, password: PASSWORD },
    ]);
  });

  it('[SIN-06] [SIN-07] an unknown user and a wrong password are told the very same', () => {
    const unknown = run(EMPTY_SIGN_IN, [submitted, { type: 'userChecked', isKnown: false }]);
    const wrong = run(EMPTY_SIGN_IN, [submitted, known, { type: 'passwordRefused' }]);
    expect(unknown.state).toEqual(REFUSED);
    expect(wrong.state).toEqual(REFUSED);
    expect(unknown.effects).toHaveLength(1);
    expect(wrong.effects).toHaveLength(2);
  });

  it('[SIN-07] refusals are counted, so that help can be offered', () => {
    const round = [submitted, known, { type: 'passwordRefused' }] as const;
    const { state } = run(EMPTY_SIGN_IN, [...round, ...round]);
    expect(at(state, 'signIn').failures).toBe(2);
  });

  it('[SIN-08] "Then the user goes to /account/Redirect", with the ticket, not yet verified', () => {
    const { state, effects } = run(EMPTY_SIGN_IN, [
      submitted,
      known,
      { type: 'passwordAccepted', loginTicket: 'ticket' },
    ]);
    expect(at(state, 'redirect')).toMatchObject({
      entrance: 'legalStaff',
      email: EMAIL,
      isOtpVerified: false,
    });
    expect(effects.slice(2)).toEqual([
      { do: 'show', screen: 'redirect', entrance: 'legalStaff' },
      { do: 'checkSession', loginTicket: 'ticket' },
      expect.objectContaining({ do: 'pause' }),
    ]);
  });

  test.each([
    ['failed', [submitted]],
    ['failed', [submitted, known]],
    ['sessionEnded', [submitted, known]],
  ] as const)('[SIN-06] "Other failures show the generic error": %s', (type, events) => {
    const { state, effects } = run(EMPTY_SIGN_IN, [...events, { type }]);
    expect(state).toEqual({
      ...EMPTY_SIGN_IN,
      entrance: 'legalStaff',
      problem: { where: 'form', say: { key: 'general' }, canRetry: false },
    });
    expect(effects.at(-1)).toEqual({ do: 'toast', tone: 'warning', say: { key: 'general' } });
  });

  it('a limit says how long to wait', () => {
    const { state } = run(EMPTY_SIGN_IN, [submitted, known, { type: 'limited', minutes: 15 }]);
    expect(at(state, 'signIn')).toMatchObject({
      step: 'ready',
      credentials: null,
      failures: 0,
      problem: { say: { key: 'tooMany', minutes: 15 } },
    });
  });

  it('a browser that cannot do the security check is told whom to ask', () => {
    const failed: FlowEvent = { type: 'captchaFailed', text: 'Call us' };
    const { state } = run(EMPTY_SIGN_IN, [submitted, known, failed]);
    expect(at(state, 'signIn')).toMatchObject({
      step: 'ready',
      credentials: null,
      problem: { where: 'form', say: { text: 'Call us' } },
    });
  });

  it('a second press while the request is under way is ignored', () => {
    const other: FlowEvent = { ...submitted, password: 'another' };
    const { state, effects } = run(EMPTY_SIGN_IN, [submitted, other, known, other]);
    expect(at(state, 'signIn').credentials?.password).toBe(PASSWORD);
    expect(effects.map((effect) => effect.do)).toEqual(['checkUser', 'authenticate']);
  });

  it('a new try takes the old message away', () => {
    const { state } = run(EMPTY_SIGN_IN, [submitted, { type: 'failed' }, submitted]);
    expect(at(state, 'signIn').problem).toBeNull();
  });
});
