import type { FlowState, SignUpData } from '#domain/flow/state.ts';

/**
 * What travels in the history entry of a step, in the wire's spelling (SUP-19, OTP-08). For display and for other
 * scripts of the family only: the server decides every step, and no password is ever in it.
 */
export function historyStateOf(
  state: FlowState,
  subtenantId: number,
): Readonly<Record<string, unknown>> | null {
  if (state.at === 'done') return { done: state.message };
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
    ...signUpDataOf(state.signUpData),
    signUpPlateform: signUpPlatform,
    typeOfPage: mode === 'signIn' ? 'signin' : 'signup',
  };
}

/** The sign-up data in the wire's spelling; gone after a reload, when the server alone knows them. */
function signUpDataOf(data: SignUpData | null): Readonly<Record<string, unknown>> {
  if (!data) return {};
  const { firstName, lastName, dialCode, phone, email, promoCode } = data;
  return {
    user: {
      firstName,
      lastName,
      emailAddress: email,
      userName: email,
      countryCode: dialCode,
      mobileNumber: phone,
      packageCode: promoCode,
    },
  };
}
