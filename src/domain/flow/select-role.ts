import { type FlowState, type Problem, to } from './state.ts';
import { redirectState } from './initial-state.ts';
import { FAILURES, type Steps } from './steps.ts';

type Switcher = Extract<FlowState, { at: 'selectRole' }>;

const NOTHING_CHOSEN: Problem = { where: 'field', field: 'role', say: { key: 'roleRequired' } };

/** Reduces the switcher: a choice becomes a hand-off (ROL-03, ROL-06). */
export const AT_SELECT_ROLE: Steps<Switcher> = {
  ...FAILURES,
  choiceSubmitted(state, { choice }) {
    if (state.step !== 'ready') return to(state);
    if (!choice) {
      return to(
        { ...state, problem: NOTHING_CHOSEN },
        { do: 'toast', tone: 'warning', say: { key: 'roleRequired' } },
      );
    }
    return to(
      { ...state, step: 'opening', problem: null },
      { do: 'issueHandoff', choice, entrance: state.entrance },
    );
  },
  handoffIssued: (_state, { url }) => to({ at: 'left' }, { do: 'leave', url }),
  passwordWanted: () => to({ at: 'idle' }, { do: 'show', screen: 'appPassword' }),
  handoffRefused: (state, { say }) =>
    to({ ...state, step: 'ready', problem: { where: 'form', say, canRetry: false } }),
  // The app takes no key alone: the processing screen sends a code, and comes back here after it.
  otpStepRequired: ({ entrance }) =>
    to(
      { ...redirectState({ entrance, email: null, isOtpVerified: false }), isSendingOtp: true },
      { do: 'show', screen: 'redirect', entrance },
      { do: 'loadUser', email: null },
    ),
  sessionEnded: ({ entrance }) => to({ at: 'idle' }, { do: 'signInAgain', entrance }),
};
