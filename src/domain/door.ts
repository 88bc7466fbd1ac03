import type { ScreenName } from './screens.ts';

/** How the porch's door stands: the picture of how far a visitor has come. Digits: so many of the code's six are typed. */
export type Door = 'shut' | 'ajar' | 'half' | '1' | '2' | '3' | '4' | '5' | '6' | 'wide' | 'lamp';

/** What lies at the door, on a page that is about it. */
export type Thing = 'letter' | 'late' | 'chain' | 'signpost' | 'cone' | 'basket';

/** The screens on which it does not stand shut. */
const STILLS: Readonly<Partial<Record<ScreenName, Door>>> = {
  verifyOtp: 'ajar',
  redirect: 'ajar',
  setPassword: 'ajar',
  resetPassword: 'ajar',
  selectRoles: 'wide',
  consent: 'half',
  help: 'ajar',
  congratulation: 'wide',
  passwordDone: 'wide',
  signOut: 'lamp',
};

/** The door of a screen, as the server draws it too. `isVerified`: the code was right, and the way goes on to an app. */
export function stillOf(screen: ScreenName, isVerified = false): Door {
  return isVerified ? 'wide' : (STILLS[screen] ?? 'shut');
}

/** The door while a code is typed. A wrong code opens nothing: no digits. One that no longer works shuts it. */
export function doorAtCode(digits: number, isOver = false): Door {
  if (isOver) return 'shut';
  return digits > 0 ? (String(Math.min(digits, 6)) as Door) : 'ajar';
}
