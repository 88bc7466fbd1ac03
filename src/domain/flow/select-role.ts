import {
  type FlowState,
  GENERAL,
  generalToast,
  limitProblem,
  OFFLINE,
  type Problem,
  to,
  type Transition,
} from './state.ts';
import { redirectState } from './initial-state.ts';
import type { FlowEvent } from './event.ts';

type Switcher = Extract<FlowState, { at: 'selectRole' }>;

const NOTHING_CHOSEN: Problem = { where: 'field', field: 'role', say: { key: 'roleRequired' } };

/** Reduces the switcher: a choice becomes a hand-off (ROL-03, ROL-06). */
export function reduceSelectRole(state: Switcher, event: FlowEvent): Transition {
  switch (event.type) {
    case 'choiceSubmitted': {
      if (state.step !== 'ready') return to(state);
      const { choice } = event;
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
    }
    case 'handoffIssued':
      return to({ at: 'left' }, { do: 'leave', url: event.url });
    case 'passwordWanted':
      return to({ at: 'idle' }, { do: 'show', screen: 'appPassword' });
    case 'handoffRefused':
      return to({
        ...state,
        step: 'ready',
        problem: { where: 'form', say: event.say, canRetry: false },
      });
    case 'otpStepRequired':
      // The app takes no key alone: the processing screen sends a code, and comes back here after it.
      return to(
        {
          ...redirectState({ entrance: state.entrance, email: null, isOtpVerified: false }),
          isSendingOtp: true,
        },
        { do: 'show', screen: 'redirect', entrance: state.entrance },
        { do: 'loadUser', email: null },
      );
    case 'limited':
      return to({ ...state, step: 'ready', problem: limitProblem(event.minutes) });
    case 'sessionEnded':
      return to({ at: 'idle' }, { do: 'signInAgain', entrance: state.entrance });
    case 'offline':
      return to({ ...state, step: 'ready', problem: OFFLINE });
    case 'failed':
      return to({ ...state, step: 'ready', problem: GENERAL }, generalToast);
    default:
      return to(state);
  }
}
