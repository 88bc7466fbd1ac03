import { activationStep } from '../activation.ts';
import { otpEntryProblem } from '../otp.ts';
import type { PendingCode, Proof } from '../visit.ts';
import { codeState, enterCode } from './enter-otp.ts';
import {
  type FlowEvent,
  type FlowState,
  generalToast,
  GENERAL,
  limitProblem,
  type Problem,
  to,
  type Transition,
} from './state.ts';
import { openRedirect } from './redirect.ts';

type Code = Extract<FlowState, { at: 'code' }>;

const otpProblem = (
  key: 'otpRequired' | 'otpInvalid' | 'otpWrong' | 'otpExpired' | 'otpDead',
): Problem => ({
  where: 'field',
  field: 'otp',
  say: { key },
});

/** Code entry: verify, resend, more time, and what a right code leads to (OTP-01..11). */
export function nextInCode(state: Code, event: FlowEvent, now: number): Transition {
  switch (event.type) {
    case 'codeSubmitted':
      return submit(state, event.digits, now);
    case 'codeVerified':
      return afterRightCode(state);
    case 'codeRefused': {
      const problem = otpProblem(event.reason);
      const deadline = event.reason === 'otpWrong' ? state.deadline : now;
      return to(
        { ...state, step: 'ready', problem, deadline },
        { do: 'toast', tone: 'warning', say: { key: event.reason } },
      );
    }
    case 'resendAsked':
      // OTP-03: no new code before the countdown is over.
      if (state.step !== 'ready' || now < state.deadline) return to(state);
      return to(
        { ...state, step: 'resending', problem: null },
        { do: 'resendCode', code: state.code },
      );
    case 'otherWayAsked':
      // Offered only when nothing is on its way any more; whether that is so, the server decides.
      if (state.step !== 'ready') return to(state);
      return to(
        { ...state, step: 'resending', problem: null },
        { do: 'resendCode', code: { ...state.code, medium: event.medium } },
      );
    case 'resendTooSoon':
      return to({
        ...state,
        step: 'ready',
        deadline: now + event.waitMs,
        problem: { where: 'form', say: { key: 'tooSoon' }, canRetry: false },
      });
    case 'codeSent':
      return to(codeState(event.code, now, state.signUpData), {
        do: 'toast',
        tone: 'success',
        say: 'codeSent',
      });
    case 'moreTimeAsked':
      if (state.step !== 'ready') return to(state);
      return to({ ...state, step: 'extending' }, { do: 'extendCode', code: state.code });
    case 'codeExtended':
      return to({
        ...state,
        step: 'ready',
        code: { ...state.code, remainingMs: event.remainingMs, canExtend: event.canExtend },
        deadline: now + event.remainingMs,
      });
    case 'authUserChecked': {
      const step = activationStep(event.isAuthUser, state.code.signUpPlatform);
      const proof = proofOf(state.code);
      if (step === 'setPassword') {
        return to(
          { at: 'setPassword', step: 'ready', proof, problem: null },
          { do: 'show', screen: 'setPassword' },
        );
      }
      return to(
        { ...state, step: 'activating', hasOldPassword: event.isAuthUser },
        { do: 'activate', proof, password: null },
      );
    }
    case 'activated':
      return finish(state);
    case 'confirmedElsewhere':
      return state.code.mode === 'signIn' ? to(state) : finish(state);
    case 'addressGiven':
      if (state.step !== 'ready' || state.code.mode !== 'signUp') return to(state);
      return to(
        { ...state, step: 'moving', problem: null },
        { do: 'changeAddress', code: state.code, email: event.email },
      );
    case 'addressChanged': {
      const { code } = event;
      const data = state.signUpData;
      return enterCode(code, now, data && { ...data, email: code.email ?? data.email });
    }
    case 'addressRefused': {
      const problem = { where: 'field', field: 'email', say: { key: event.reason } } as const;
      return to({ ...state, step: 'ready', problem });
    }
    case 'stepLost':
      return to(
        { ...state, step: 'ready', problem: null },
        {
          do: 'restart',
          fallback: state.code.mode === 'signUp' ? 'signUp' : 'signIn',
          entrance: state.code.entrance,
        },
      );
    case 'limited':
      return to({ ...state, step: 'ready', problem: limitProblem(event.minutes) });
    case 'sessionEnded':
      return to({ at: 'idle' }, { do: 'show', screen: 'signIn' });
    case 'failed':
      return to({ ...state, step: 'ready', problem: GENERAL }, generalToast);
    default:
      return to(state);
  }
}

function submit(state: Code, digits: string, now: number): Transition {
  if (state.step !== 'ready') return to(state);
  const entryProblem = otpEntryProblem(digits);
  if (entryProblem) return to({ ...state, problem: otpProblem(entryProblem) });
  if (now >= state.deadline) {
    return to(
      { ...state, problem: otpProblem('otpExpired') },
      { do: 'toast', tone: 'warning', say: { key: 'otpExpired' } },
    );
  }
  return to(
    { ...state, step: 'verifying', problem: null },
    { do: 'verifyCode', code: state.code, digits },
  );
}

function finish(state: Code): Transition {
  const fresh = state.code.mode === 'signUp' ? 'created' : 'activated';
  const message = state.hasOldPassword ? 'oldPassword' : fresh;
  return to(
    { at: 'done', message },
    { do: 'toast', tone: 'success', say: message },
    { do: 'show', screen: 'congratulation' },
  );
}

function afterRightCode(state: Code): Transition {
  if (state.code.mode === 'signIn') {
    const { email, entrance } = state.code;
    return openRedirect({ email, entrance, isOtpVerified: true, loginTicket: null });
  }
  return to(
    { ...state, step: 'activating' },
    { do: 'checkAuthUser', email: state.code.email ?? state.code.sentTo.email },
  );
}

function proofOf(code: PendingCode): Proof {
  const { id: otpId, userId, registrationId, signUpPlatform, email } = code;
  return { otpId, userId, registrationId, signUpPlatform, email };
}
