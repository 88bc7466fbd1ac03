import { reduce } from '../flow/flow.ts';
import type { Effect, FlowState } from '../flow/state.ts';
import type { SignUpRequest } from '../flow/terms.ts';
import type { FlowEvent } from '../flow/event.ts';
import type { Login, PendingOtp } from '../flow/visit.ts';

/** The one password that any sample holds: it must be found nowhere but in requests under way. */
export const PASSWORD = 'Porchlight-1';

export const REQUEST: SignUpRequest = {
  subtenantId: 742,
  firstName: 'Margaret',
  lastName: 'Okafor',
  country: 'US',
  dialCode: '+1',
  phone: '5550142290',
  email: 'margaret@example.org',
  password: PASSWORD,
  promoCode: null,
  survey: [],
};

/** What may go on after the request: everything but the password. */
const { password: _, ...withoutPassword } = REQUEST;
export const SIGN_UP_DATA = withoutPassword;

export const ACCOUNT = { userId: 7, registrationId: 'reg-7', email: 'margaret@example.org' };

export const PENDING_OTP: PendingOtp = {
  id: 'code-1',
  userId: 7,
  registrationId: 'reg-7',
  signUpPlatform: 1,
  email: 'margaret@example.org',
  otpType: 'USER_ACTIVATION',
  mode: 'signUp',
  entrance: 'portal',
  medium: 4,
  sentTo: { email: 'm•••@example.org', phone: '••• ••90' },
  remainingMs: 120_000,
  canExtend: true,
};

export const SIGN_IN_OTP: PendingOtp = {
  ...PENDING_OTP,
  id: 'code-2',
  registrationId: null,
  otpType: 'TWOFACTORAUTHENTICATION',
  mode: 'signIn',
};

export function loginWith(...roleIds: readonly number[]): Login {
  return {
    appState: 'app-1',
    loggedInUserId: 7,
    signInId: 'login-1',
    userName: 'margaret@example.org',
    memberName: 'Margaret Okafor',
    roles: roleIds.map((roleId) => ({ roleId, roleKey: `Role ${roleId}` })),
  };
}

/** Feeds events one after another. @returns the last state and all effects on the way. */
export function run(
  start: FlowState,
  events: readonly FlowEvent[],
  now = 0,
): { readonly state: FlowState; readonly effects: readonly Effect[] } {
  let state = start;
  const effects: Effect[] = [];
  for (const event of events) {
    const transition = reduce(state, event, now);
    state = transition.state;
    effects.push(...transition.effects);
  }
  return { state, effects };
}

/** The state of one step, or an error that names the step it is in. */
export function at<Name extends FlowState['at']>(
  state: FlowState,
  name: Name,
): Extract<FlowState, { at: Name }> {
  if (state.at !== name) throw new Error(`At ${state.at}, not at ${name}`);
  return state as Extract<FlowState, { at: Name }>;
}
