import { type FlowState, refusedField, to } from './state.ts';
import { FAILURES, type Steps } from './steps.ts';

type SetPassword = Extract<FlowState, { at: 'setPassword' }>;

/**
 * Reduces the first password of an account that an operator or program created: it activates the account (OTP-10,
 * PWD-09).
 */
export const AT_SET_PASSWORD: Steps<SetPassword> = {
  ...FAILURES,
  passwordChosen(state, { password }) {
    if (state.step !== 'ready') return to(state);
    return to(
      { ...state, step: 'activating', problem: null },
      { do: 'activate', proof: state.proof, password },
    );
  },
  activated: () =>
    to(
      { at: 'done', message: 'passwordSet' },
      { do: 'toast', tone: 'success', say: 'passwordSet' },
      { do: 'show', screen: 'passwordDone' },
    ),
  fieldRefused: (state, event) => to({ ...state, step: 'ready', problem: refusedField(event) }),
  stepLost: (state) => to({ ...state, step: 'ready' }, { do: 'restart', fallback: 'signIn' }),
  sessionEnded: () => to({ at: 'idle' }, { do: 'signInAgain', entrance: 'portal' }),
};
