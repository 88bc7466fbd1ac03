import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { reduce } from './flow.ts';
import { EMPTY_SIGN_IN, EMPTY_SIGN_UP } from './initial-state.ts';
import { type FlowState, limitProblem } from './state.ts';
import type { FlowEvent } from './event.ts';
import {
  ACCOUNT,
  PENDING_OTP,
  loginWith,
  PASSWORD,
  REQUEST,
  SIGN_IN_OTP,
} from '../testing/samples.ts';

const LINK = {
  userId: 7,
  registrationId: 'reg-7',
  platform: 5,
  key: 'key-7',
  userActivationId: 'link-7',
};
const PROOF = {
  otpId: 'proof-7',
  userId: 7,
  registrationId: 'reg-7',
  signUpPlatform: 1,
  email: 'm•••@example.org',
};

/** At least one of every event; the record keeps the list complete when an event is added. */
const EVENTS_BY_TYPE: {
  readonly [Type in FlowEvent['type']]: readonly Omit<Extract<FlowEvent, { type: Type }>, 'type'>[];
} = {
  signUpSubmitted: [{ request: REQUEST }, { request: { ...REQUEST, subtenantId: 3 } }],
  userCreated: [
    { account: ACCOUNT, mode: 'VERIFY_OTP' },
    { account: ACCOUNT, mode: 'ACTIVATE_USER' },
    { account: ACCOUNT, mode: 'ROLE_MAPPED' },
  ],
  emailInUse: [{}],
  fieldRefused: [{ field: 'password', text: 'No' }],
  sendOtpAgain: [{}],
  otpSent: [
    { otp: PENDING_OTP },
    { otp: SIGN_IN_OTP },
    { otp: { ...PENDING_OTP, signUpPlatform: 5 } },
  ],
  otpSubmitted: [{ digits: '' }, { digits: '407291' }],
  otpVerified: [{}],
  otpRefused: [{ reason: 'otpWrong' }, { reason: 'otpDead' }],
  accountSuspended: [{}],
  otherSignInFound: [{}],
  resendAsked: [{}],
  otherWayAsked: [{ medium: 3 }],
  resendTooSoon: [{ waitMs: 5000 }],
  moreTimeAsked: [{}],
  otpExtended: [{ remainingMs: 9000, canExtend: false }],
  callAsked: [{}],
  otpCalled: [{ remainingMs: 9000, canExtend: false }],
  callRefused: [{ text: 'No' }],
  authUserChecked: [{ isAuthUser: true }, { isAuthUser: false }],
  activated: [{}],
  linkFollowed: [{ link: LINK }],
  linkOtpAsked: [{}],
  linkConfirmAsked: [{}],
  linkConfirmed: [{ proof: null }, { proof: PROOF }],
  linkRefused: [{ text: 'No' }],
  confirmedElsewhere: [{}],
  addressGiven: [{ email: 'maggie@example.org', phone: null }],
  addressChanged: [{ otp: PENDING_OTP, phone: null }],
  addressRefused: [{ reason: 'emailInUse' }],
  passwordChosen: [{ password: PASSWORD }],
  signInSubmitted: [{ email: REQUEST.email, password: PASSWORD, entrance: 'portal' }],
  userChecked: [{ isKnown: true }, { isKnown: false }],
  passwordAccepted: [{ loginTicket: 'ticket' }],
  passwordRefused: [{}],
  redirectOpened: [{ entrance: 'portal', email: REQUEST.email, isOtpVerified: true }],
  paused: [{}],
  sessionFound: [{ answer: { code: 'c', state: 's' } }],
  loginRequired: [{ help: 1 }],
  checkTimedOut: [{}],
  userLoaded: [{ userId: 7, sendOn: 'm•••@example.org' }],
  noPendingSignIn: [{}],
  loginRecorded: [
    { login: loginWith(4) },
    { login: loginWith(4, 6) },
    { login: loginWith(4), isForClient: true },
    { login: loginWith(4), offersKey: true },
  ],
  interactionOver: [{}],
  otpStepRequired: [{}],
  choiceSubmitted: [{ choice: null }, { choice: { kind: 'role', roleId: 4 } }],
  handoffIssued: [{ url: 'https://m.test/' }],
  passwordWanted: [{}],
  handoffRefused: [{ say: { key: 'handoffLoop' } }],
  sessionEnded: [{}],
  limited: [{ minutes: 3 }],
  stepLost: [{}],
  captchaFailed: [{ text: 'Call us' }],
  failed: [{}],
  offline: [{}],
};

const EVENTS = Object.entries(EVENTS_BY_TYPE).flatMap(([type, samples]) =>
  samples.map((sample) => ({ type, ...sample }) as FlowEvent),
);

const NOW = 1000;

/** Two states that differ only in how often a password was refused, or a call asked for, lead on alike. */
const identity = (state: FlowState) => JSON.stringify({ ...state, failures: 0, calls: 0 });

type Edge = { readonly from: FlowState; readonly event: FlowEvent } & ReturnType<typeof reduce>;

/** Everything that can be reached from the beginnings by any events in any order, right or wrong. */
function explore(): { readonly states: readonly FlowState[]; readonly edges: readonly Edge[] } {
  const seen = new Map<string, FlowState>();
  const edges: Edge[] = [];
  const waiting: FlowState[] = [EMPTY_SIGN_UP, EMPTY_SIGN_IN, { at: 'idle' }];
  for (const from of waiting) {
    const id = identity(from);
    if (seen.has(id)) continue;
    seen.set(id, from);
    for (const event of EVENTS) {
      const transition = reduce(from, event, NOW);
      edges.push({ from, event, ...transition });
      waiting.push(transition.state);
    }
  }
  return { states: [...seen.values()], edges };
}

const { states, edges } = explore();

const describeEdge = ({ from, event, state }: Edge) =>
  `${from.at} + ${event.type} -> ${JSON.stringify(state)}`;

describe('everything that can be reached', () => {
  it('is every step there is', () => {
    const steps = new Set(
      states.map((state) => ('step' in state ? `${state.at} ${state.step}` : state.at)),
    );
    expect([...steps].sort()).toEqual(
      [
        'idle',
        'done',
        'left',
        'redirect',
        'signUp ready',
        'signUp creating',
        'signUp sendingOtp',
        'signUp leaving',
        'otp ready',
        'otp verifying',
        'otp resending',
        'otp extending',
        'otp calling',
        'otp moving',
        'otp activating',
        'otp closed',
        'signIn ready',
        'signIn checking',
        'signIn authenticating',
        'selectRole ready',
        'selectRole opening',
        'activation ready',
        'activation sendingOtp',
        'activation confirming',
        'activation activating',
        'setPassword ready',
        'setPassword activating',
      ].sort(),
    );
  });

  it('[GEN-12] holds no password but in a request that is under way', () => {
    const holding = states.filter((state) => JSON.stringify(state).includes(PASSWORD));
    const places = new Set(
      holding.map((state) => ('step' in state ? `${state.at} ${state.step}` : state.at)),
    );
    expect([...places].sort()).toEqual([
      'signIn authenticating',
      'signIn checking',
      'signUp creating',
    ]);
  });

  it('[GEN-12] gives a password only to the effects that need one', () => {
    const asked = edges.flatMap((edge) => edge.effects);
    const holding = asked.filter((effect) => JSON.stringify(effect).includes(PASSWORD));
    expect([...new Set(holding.map((effect) => effect.do))].sort()).toEqual([
      'activate',
      'authenticate',
      'createUser',
    ]);
  });

  it('survives being written down: states and effects are plain data', () => {
    const isPlain = (value: unknown): boolean => {
      if (typeof value === 'number') return Number.isFinite(value);
      if (typeof value !== 'object') return /string|boolean|undefined/.test(typeof value);
      if (value === null) return true;
      const isOwnKind = [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value));
      return isOwnKind && Object.values(value).every(isPlain);
    };
    expect([new Date(), () => 0, new Map(), Number.NaN].filter(isPlain)).toEqual([]);
    expect(states.filter((state) => !isPlain(state))).toEqual([]);
    expect(edges.filter((edge) => !isPlain(edge.effects))).toEqual([]);
  });

  it('changes nothing of the state that it came from', () => {
    const before = JSON.stringify(states);
    for (const state of states) for (const event of EVENTS) reduce(state, event, NOW);
    expect(JSON.stringify(states)).toBe(before);
  });

  it('begins nothing a second time while it is under way', () => {
    const PRESSES = [
      'signUpSubmitted',
      'sendOtpAgain',
      'otpSubmitted',
      'resendAsked',
      'otherWayAsked',
      'moreTimeAsked',
      'callAsked',
      'signInSubmitted',
      'choiceSubmitted',
      'linkOtpAsked',
      'linkConfirmAsked',
      'addressGiven',
      'passwordChosen',
    ];
    const repeated = edges.filter(
      ({ from, event }) => 'step' in from && from.step !== 'ready' && PRESSES.includes(event.type),
    );
    const changing = repeated.filter(
      ({ from, state, effects }) => state !== from || effects.length > 0,
    );
    expect(repeated.length).toBeGreaterThan(50);
    expect(changing.map(describeEdge)).toEqual([]);
  });

  it('ends where it ends: done and left lead nowhere but by a new link or a new sign-in', () => {
    const onward = edges.filter(
      ({ from, state }) => ['done', 'left', 'idle'].includes(from.at) && state !== from,
    );
    expect([...new Set(onward.map(({ event }) => event.type))].sort()).toEqual([
      'linkFollowed',
      'redirectOpened',
    ]);
  });

  it('changes nothing for an event that is not of its step', () => {
    const OF_STEP: Readonly<Record<FlowState['at'], RegExp>> = {
      idle: /^$/,
      done: /^$/,
      left: /^$/,
      signUp:
        /^(?:emailInUse|fieldRefused|signUp|paused|userCreated|sendOtpAgain|otpSent|limited|captchaFailed|sessionEnded|failed|offline)/,
      otp: /^(?:stepLost|accountSuspended|otp|resend|otherWay|otherSignIn|moreTime|call|address|confirmed|authUser|activated|limited|sessionEnded|failed|offline)/,
      signIn: /^(?:signIn|userChecked|password|limited|captchaFailed|sessionEnded|failed|offline)/,
      redirect:
        /^(?:paused|session|login|checkTimedOut|user|noPending|otp|handoff|passwordWanted|interactionOver|limited|failed|offline)/,
      selectRole: /^(?:choice|handoff|passwordWanted|otpStep|limited|sessionEnded|failed|offline)/,
      activation:
        /^(?:stepLost|link|otpSent|authUser|activated|limited|sessionEnded|failed|offline)/,
      setPassword:
        /^(?:stepLost|fieldRefused|passwordChosen|activated|limited|sessionEnded|failed|offline)/,
    };
    const foreign = edges.filter(
      ({ from, event }) =>
        !['redirectOpened', 'linkFollowed'].includes(event.type) &&
        !OF_STEP[from.at].test(event.type),
    );
    const changing = foreign.filter(
      ({ from, state, effects }) => state !== from || effects.length > 0,
    );
    expect(foreign.length).toBeGreaterThan(500);
    expect(changing.map(describeEdge)).toEqual([]);
  });

  it('[SUP-21] tells the visitor of every failure, on the page and, but for limits, in a toast', () => {
    const failures = edges.filter(
      ({ from, event }) => event.type === 'failed' && 'problem' in from,
    );
    const silent = failures.filter(
      ({ state, effects }) =>
        !('problem' in state && state.problem !== null) ||
        !effects.some((effect) => effect.do === 'toast' && effect.tone === 'warning'),
    );
    expect(failures.length).toBeGreaterThan(20);
    expect(silent.map(describeEdge)).toEqual([]);
  });

  it('[V4] says nothing of its own while the browser is offline, and keeps the form', () => {
    const offline = edges.filter(
      ({ from, event }) => event.type === 'offline' && 'problem' in from,
    );
    const wrong = offline.filter(
      ({ state, effects }) =>
        !('problem' in state && state.problem?.where === 'offline') || effects.length > 0,
    );
    expect(offline.length).toBeGreaterThan(20);
    expect(wrong.map(describeEdge)).toEqual([]);
  });

  it('says after each limit how long to wait', () => {
    const limits = edges.filter(({ from, event }) => event.type === 'limited' && 'problem' in from);
    const silent = limits.filter(
      ({ event, state }) =>
        event.type === 'limited' &&
        !('problem' in state && isDeepStrictEqual(state.problem, limitProblem(event.minutes))),
    );
    expect(limits.length).toBeGreaterThan(20);
    expect(silent.map(describeEdge)).toEqual([]);
  });

  it('[SUP-21] gives every form back after a failure or a limit', () => {
    const stuck = edges.filter(
      ({ event, state }) =>
        ['failed', 'limited', 'offline'].includes(event.type) &&
        'step' in state &&
        state.step !== 'ready',
    );
    expect(stuck.map(describeEdge)).toEqual([]);
  });
});
