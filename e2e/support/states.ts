import { ACTIVATION_STATES } from './states/activation.ts';
import { BROWSER_STATES } from './states/browser.ts';
import { CODE_STATES } from './states/code.ts';
import { COUNTER_STATES } from './states/counter.ts';
import { ADDRESS_STATES, CALL_STATES, DELIVERY_STATES } from './states/delivery.ts';
import { ACCOUNT_STATES } from './states/my-account.ts';
import { PAGE_STATES, PLAIN_STATES } from './states/pages.ts';
import { FORGOT_STATES, RESET_STATES, SET_STATES } from './states/passwords.ts';
import { REDIRECT_STATES, SWITCHER_STATES } from './states/redirect.ts';
import { FRAME_STATES, SIGN_IN_STATES } from './states/sign-in.ts';
import { SIGN_UP_STATES } from './states/sign-up.ts';
import type { State } from './states/state.ts';
import { THIRD_PARTY_STATES } from './states/third-party.ts';
import { WITHOUT_SCRIPT_STATES } from './states/without-script.ts';

export type { State, Tools } from './states/state.ts';

/** Every screen and every state of it that a visitor can meet: what is true of all of them is tested on all of them. */
export const STATES: readonly State[] = [
  ...SIGN_UP_STATES,
  ...SIGN_IN_STATES,
  ...FRAME_STATES,
  ...CODE_STATES,
  ...DELIVERY_STATES,
  ...ADDRESS_STATES,
  ...CALL_STATES,
  ...REDIRECT_STATES,
  ...SWITCHER_STATES,
  ...FORGOT_STATES,
  ...RESET_STATES,
  ...SET_STATES,
  ...ACTIVATION_STATES,
  ...ACCOUNT_STATES,
  ...COUNTER_STATES,
  ...PAGE_STATES,
  ...THIRD_PARTY_STATES,
  ...BROWSER_STATES,
  ...WITHOUT_SCRIPT_STATES,
  ...PLAIN_STATES,
];

const FIRST_OF_SCREEN = new Set(
  STATES.filter((state, n) => STATES.findIndex(({ screen }) => screen === state.screen) === n),
);

/** The states of a screen share its frame: what costs much is asked of the first one. */
export const isFirstOfScreen = (state: State): boolean => FIRST_OF_SCREEN.has(state);

/** The pages behind My account have one frame and one engine of forms: `npm test` opens these. */
const CORE_OF_ACCOUNT = ['myAccount', 'myEmail', 'myWays', 'keyOffer', 'appPassword'];

/** Whether `npm test` opens it. */
export const isCoreState = (state: State): boolean =>
  isFirstOfScreen(state) &&
  (!ACCOUNT_STATES.includes(state) || CORE_OF_ACCOUNT.includes(state.screen));

/** @throws when the table has no state of that name. */
export function stateOf(name: string): State {
  const found = STATES.find((state) => state.name === name);
  if (!found) throw new Error(`No state '${name}'`);
  return found;
}
