import type { FlowState } from '#domain/flow/state.ts';
import { fromWire, toWire, type TypedFields, type WireFields } from '#contract/sign-up-fields.ts';
import type { SignUpData } from '#domain/flow/terms.ts';
import type { SurveyAnswer } from '#domain/people/survey.ts';

const SET_PASSWORD = { state: 'Set' } as const;

/**
 * Returns the history state of a step, in the wire's spelling (SUP-19, OTP-08). It is only for display and for other
 * scripts of the product family: the server decides every step, and it never contains a password.
 */
export function historyStateOf(
  state: FlowState,
  subtenantId: number,
): Readonly<Record<string, unknown>> | null {
  if (state.at === 'done') {
    return {
      done: state.message,
      ...(state.message === 'passwordSet' && SET_PASSWORD),
      ...(state.isByPhone && { byPhone: true }),
    };
  }
  if (state.at === 'redirect') return { otpVerified: state.isOtpVerified };
  if (state.at !== 'otp') return null;
  const { id, userId, registrationId, sentTo, medium, signUpPlatform, mode, email } = state.otp;
  return {
    createId: userId,
    Id: id,
    userRegisteredId: registrationId,
    otpSendOn: [sentTo.email, sentTo.phone].filter(Boolean).join(', '),
    otpSendMedium: medium,
    subtenantId,
    emailAddress: email,
    ...(state.signUpData && signUpDataOf(state.signUpData)),
    signUpPlateform: signUpPlatform,
    typeOfPage: mode === 'signIn' ? 'signin' : 'signup',
  };
}

/**
 * Returns the number of requests for a new code, this one included. The code's own history entry counts, so a reload
 * does not (DAT-03).
 */
export function countResend(): number {
  if (typeof history === 'undefined') return 1;
  const entry = recordOf(history.state);
  const resendCount = (Number(entry.resendCount) || 0) + 1;
  history.replaceState({ ...entry, resendCount }, '');
  return resendCount;
}

/** Returns the sign-up data in the wire's spelling, with the fields that only refill the form. */
export function signUpDataOf(data: SignUpData): Readonly<Record<string, unknown>> {
  const { country, survey } = data;
  return { user: toWire(data), country, survey };
}

/**
 * Reads it back; returns `null` for an entry of another kind. Other scripts can write the history, so invalid values
 * are dropped.
 */
export function signUpDataIn(entry: unknown, subtenantId: number): SignUpData | null {
  const { user, country, survey } = recordOf(entry);
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const found: Record<string, unknown> = fromWire(recordOf(user) as WireFields);
  for (const name of Object.keys(found)) found[name] = text(found[name]);
  const typed = found as Record<keyof TypedFields, string>;
  if (!typed.firstName) return null;
  return {
    ...typed,
    subtenantId,
    country: text(country),
    promoCode: typed.promoCode || null,
    survey: Array.isArray(survey) ? survey.map(recordOf).filter(isAnswer) : [],
  };
}

function isAnswer(value: Readonly<Record<string, unknown>>): value is SurveyAnswer {
  const { subjectId, responseId, text } = value;
  return [subjectId, responseId].every(Number.isInteger) && typeof text === 'string';
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
