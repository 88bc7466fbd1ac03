import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { ACTIVATION_MODES } from '../src/domain/proofs/activation.ts';
import { reduce } from '../src/domain/flow/flow.ts';
import { activationState } from '../src/domain/flow/activation.ts';
import { otpState } from '../src/domain/flow/enter-otp.ts';
import { EMPTY_SIGN_IN, EMPTY_SIGN_UP, redirectState } from '../src/domain/flow/initial-state.ts';
import type { Effect, FlowState, Problem, Transition } from '../src/domain/flow/state.ts';
import type { FlowEvent } from '../src/domain/flow/event.ts';
import {
  ACCOUNT,
  loginWith,
  PASSWORD,
  PENDING_OTP,
  REQUEST,
  SIGN_IN_OTP,
  SIGN_UP_DATA,
} from '../src/domain/testing/samples.ts';

const DOCUMENT = new URL('../docs/flows.md', import.meta.url);
const HEADING = '## Events by step';

type At = FlowState['at'];
type State<Name extends At> = Extract<FlowState, { at: Name }>;
type Event<Type extends FlowEvent['type']> = Extract<FlowEvent, { type: Type }>;

const EMAIL = 'margaret@example.org';
const PROOF = {
  otpId: 'code-1',
  userId: 7,
  registrationId: 'reg-7',
  signUpPlatform: 1,
  email: EMAIL,
};
const LINK = { userId: 7, registrationId: 'reg-7', platform: 1, key: 'k', userActivationId: 'a' };
/** An account that an administrator made: its first password is chosen after the code. */
const INVITED = 5;

/** All values of a state's `step`. The compiler refuses a missing one. */
const STEPS: {
  [Name in At]: State<Name> extends { step: infer Step extends string } ? Record<Step, true> : null;
} = {
  idle: null,
  signUp: { ready: true, creating: true, sendingOtp: true, leaving: true },
  otp: {
    ready: true,
    verifying: true,
    resending: true,
    extending: true,
    calling: true,
    moving: true,
    activating: true,
    closed: true,
  },
  signIn: { ready: true, checking: true, authenticating: true },
  redirect: null,
  selectRole: { ready: true, opening: true },
  activation: { ready: true, sendingOtp: true, confirming: true, activating: true },
  setPassword: { ready: true, activating: true },
  done: null,
  left: null,
};

const REDIRECT = redirectState({ entrance: 'portal', email: EMAIL, isOtpVerified: false });
const ANSWER = { code: 'c', state: 's' };
const routedAs = (...roleIds: number[]): State<'redirect'> => ({
  ...REDIRECT,
  shown: 4,
  session: ANSWER,
  login: loginWith(...roleIds),
});
const ACTIVATION = activationState(LINK);

/** Returns a state in each of its steps. */
function inEachStep<Name extends At>(state: State<Name>): State<Name>[] {
  return Object.keys(STEPS[state.at] ?? {}).map((step) => ({ ...state, step }));
}

/** Variants of each state that the reducers tell apart. */
const STATES: { [Name in At]: State<Name>[] } = {
  idle: [{ at: 'idle' }],
  signIn: inEachStep({ ...EMPTY_SIGN_IN, credentials: { email: EMAIL, password: PASSWORD } }),
  signUp: [
    {
      ...EMPTY_SIGN_UP,
      account: ACCOUNT,
      data: SIGN_UP_DATA,
      request: { ...REQUEST, survey: [{ subjectId: 213, responseId: 418, text: '' }] },
    },
    { ...EMPTY_SIGN_UP, request: { ...REQUEST, subtenantId: 3 } },
  ].flatMap(inEachStep<'signUp'>),
  otp: [
    PENDING_OTP,
    SIGN_IN_OTP,
    { ...PENDING_OTP, mode: 'activation', signUpPlatform: INVITED } as const,
  ].flatMap((otp) => inEachStep(otpState(otp, 0))),
  redirect: [
    REDIRECT,
    { ...REDIRECT, isOtpVerified: true },
    { ...REDIRECT, loginTicket: 'ticket', unseen: 2 },
    routedAs(1),
    routedAs(3, 4),
    routedAs(2),
    { ...routedAs(1), entrance: 'legalStaff' },
    { ...routedAs(1), isForClient: true },
  ],
  selectRole: inEachStep({
    at: 'selectRole',
    step: 'ready',
    login: loginWith(3, 4),
    entrance: 'portal',
    problem: null,
  }),
  activation: [
    ...inEachStep(ACTIVATION),
    { ...ACTIVATION, step: 'activating', proof: PROOF },
    { ...ACTIVATION, step: 'activating', proof: { ...PROOF, signUpPlatform: INVITED } },
  ],
  setPassword: inEachStep({ at: 'setPassword', step: 'ready', proof: PROOF, problem: null }),
  done: [{ at: 'done', message: 'created' }],
  left: [{ at: 'left' }],
};

/** Variants of each event. The compiler refuses a missing event. */
const EVENTS: { [Type in FlowEvent['type']]: Omit<Event<Type>, 'type'>[] } = {
  signUpSubmitted: [{ request: REQUEST }],
  userCreated: ACTIVATION_MODES.map((mode) => ({ account: ACCOUNT, mode })),
  emailInUse: [{}],
  sendOtpAgain: [{}],
  signInSubmitted: [{ email: EMAIL, password: PASSWORD, entrance: 'portal' }],
  userChecked: [{ isKnown: true }, { isKnown: false }],
  passwordAccepted: [{ loginTicket: 'ticket' }],
  passwordRefused: [{}],
  redirectOpened: [{ entrance: 'portal', email: EMAIL, isOtpVerified: false }],
  paused: [{}],
  sessionFound: [{ answer: ANSWER }],
  loginRequired: [{ help: 2 }],
  checkTimedOut: [{}],
  otpStepRequired: [{}],
  userLoaded: [{ userId: 7, sendOn: 'm•••' }],
  noPendingSignIn: [{}],
  loginRecorded: [{ login: loginWith(1) }],
  interactionOver: [{}],
  otpSent: [{ otp: PENDING_OTP }],
  otpSubmitted: [{ digits: '407291' }, { digits: '' }, { digits: '4' }],
  otpVerified: [{}],
  otpRefused: [{ reason: 'otpWrong' }, { reason: 'otpExpired' }, { reason: 'otpDead' }],
  accountSuspended: [{}],
  otherSignInFound: [{}],
  resendAsked: [{}],
  otherWayAsked: [{ medium: 3 }],
  resendTooSoon: [{ waitMs: 1000 }],
  moreTimeAsked: [{}],
  otpExtended: [{ remainingMs: 120_000, canExtend: true }],
  callAsked: [{}],
  otpCalled: [{ remainingMs: 120_000, canExtend: true }],
  callRefused: [{ text: '' }],
  addressGiven: [{ email: EMAIL, phone: null }],
  addressChanged: [{ otp: PENDING_OTP, phone: null }],
  addressRefused: [{ reason: 'emailInUse' }, { reason: 'emailInvalid' }],
  confirmedElsewhere: [{}],
  linkFollowed: [{ link: LINK }],
  linkOtpAsked: [{}],
  linkConfirmAsked: [{}],
  linkConfirmed: [{ proof: PROOF }, { proof: null }],
  linkRefused: [{ text: '' }],
  authUserChecked: [{ isAuthUser: false }, { isAuthUser: true }],
  passwordChosen: [{ password: PASSWORD }],
  activated: [{}],
  choiceSubmitted: [{ choice: { kind: 'role', roleId: 4 } }, { choice: null }],
  handoffIssued: [{ url: '' }],
  passwordWanted: [{}],
  handoffRefused: [{ say: { text: '' } }],
  fieldRefused: [{ field: 'email', text: '' }],
  limited: [{ minutes: 5 }],
  captchaFailed: [{ text: '' }],
  stepLost: [{}],
  sessionEnded: [{}],
  offline: [{}],
  failed: [{}],
};

const code = (text: string) => `\`${text}\``;

function describeProblem(problem: Problem): string {
  if (problem.where === 'privacy') return "the browser's help";
  if (problem.where === 'offline') return code('offline');
  return 'key' in problem.say ? code(problem.say.key) : "the server's sentence";
}

function describeEffect(effect: Effect): string {
  if (effect.do === 'show') return code(`show ${effect.screen}`);
  if (effect.do === 'restart') return code(`restart ${effect.fallback}`);
  return code(effect.do);
}

function describeOutcome(from: FlowState, { state, effects }: Transition): string {
  const names = [
    state.at === from.at && 'step' in state ? null : state.at,
    'step' in state ? state.step : null,
    'message' in state ? state.message : null,
  ];
  const next = code(names.filter((name) => name !== null).join(' '));
  const does = effects.map(describeEffect).join(', ');
  const says = 'problem' in state && state.problem ? ` says ${describeProblem(state.problem)}` : '';
  return `${next}${says}${does && `: ${does}`}`;
}

/** Returns the outcomes of `event` at a step, over all variants. Outcomes that leave the state as it is are left out. */
function outcomesOf(at: At, type: FlowEvent['type']): string[] {
  const outcomes = new Set<string>();
  for (const state of STATES[at]) {
    for (const variant of EVENTS[type]) {
      // Before and after the code's countdown.
      for (const now of [0, 999_999]) {
        const transition = reduce(state, { type, ...variant } as FlowEvent, now);
        if (transition.effects.length > 0 || !isDeepStrictEqual(transition.state, state)) {
          outcomes.add(describeOutcome(state, transition));
        }
      }
    }
  }
  return [...outcomes];
}

/** At any step the same: one row says it. */
const EVERYWHERE = ['redirectOpened', 'linkFollowed'] as const;

function flowTable(): string {
  const types = Object.keys(EVENTS) as FlowEvent['type'][];
  const rows = [
    ...EVERYWHERE.map((type) => ['any', code(type), outcomesOf('idle', type)] as const),
    ...(Object.keys(STATES) as At[]).flatMap((at) =>
      types
        .filter((type) => !EVERYWHERE.some((each) => each === type))
        .map((type) => [code(at), code(type), outcomesOf(at, type)] as const),
    ),
  ];
  return [
    '| Step | Event | What follows |',
    '|---|---|---|',
    ...rows
      .filter(([, , outcomes]) => outcomes.length > 0)
      .map(([at, event, outcomes]) => `| ${at} | ${event} | ${outcomes.join('<br>')} |`),
  ].join('\n');
}

test('[OPS-94] the table of docs/flows.md is what the reducer does', async () => {
  const page = readFileSync(DOCUMENT, 'utf8');
  const [before, section = ''] = page.split(`${HEADING}\n`);
  const after = section.slice(section.indexOf('\n## '));
  const intro = section.slice(0, section.indexOf('| Step |'));
  // After a change of the reducer: npm test -- unit tools/flow-table.test.ts -u
  await expect(`${before}${HEADING}\n${intro}${flowTable()}\n${after}`).toMatchFileSnapshot(
    DOCUMENT.pathname,
  );
});

test('[OPS-94] an event does nothing at a step that it does not belong to', () => {
  expect(outcomesOf('done', 'otpSubmitted')).toEqual([]);
  expect(outcomesOf('otp', 'otpSubmitted')).toContain('`verifying`: `verifyOtp`');
});
