import {
  type FlowState,
  GENERAL,
  generalToast,
  limitProblem,
  OFFLINE,
  refusedField,
  to,
  type Transition,
} from './state.ts';
import type { FlowEvent } from './event.ts';

type SetPassword = Extract<FlowState, { at: 'setPassword' }>;

/**
 * Reduces the first password of an account that an operator or program created: it activates the account (OTP-10,
 * PWD-09).
 */
export function reduceSetPassword(state: SetPassword, event: FlowEvent): Transition {
  switch (event.type) {
    case 'passwordChosen':
      if (state.step !== 'ready') return to(state);
      return to(
        { ...state, step: 'activating', problem: null },
        { do: 'activate', proof: state.proof, password: event.password },
      );
    case 'activated':
      return to(
        { at: 'done', message: 'passwordSet' },
        { do: 'toast', tone: 'success', say: 'passwordSet' },
        { do: 'show', screen: 'passwordDone' },
      );
    case 'fieldRefused':
      return to({ ...state, step: 'ready', problem: refusedField(event) });
    case 'stepLost':
      return to({ ...state, step: 'ready' }, { do: 'restart', fallback: 'signIn' });
    case 'limited':
      return to({ ...state, step: 'ready', problem: limitProblem(event.minutes) });
    case 'sessionEnded':
      return to({ at: 'idle' }, { do: 'signInAgain', entrance: 'portal' });
    case 'offline':
      return to({ ...state, step: 'ready', problem: OFFLINE });
    case 'failed':
      return to({ ...state, step: 'ready', problem: GENERAL }, generalToast);
    default:
      return to(state);
  }
}
