import type { ScreenName } from '../flow/screens.ts';

/**
 * The state of the porch's door, a picture of the visitor's progress. Digits: the number of entered digits of the code.
 */
export type Door = 'shut' | 'ajar' | 'half' | '1' | '2' | '3' | '4' | '5' | '6' | 'wide' | 'lamp';

/** The thing at the door, on a page about it. */
export type Thing =
  | 'letter'
  | 'late'
  | 'chain'
  | 'signpost'
  | 'cone'
  | 'basket'
  | 'key'
  | 'nail'
  | 'device'
  | 'bench';

/** The screens on which it is not shut. */
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
  myAccount: 'wide',
  myName: 'wide',
  myDevices: 'wide',
  myAppCodes: 'wide',
  myApps: 'wide',
  myPassword: 'wide',
  myWays: 'wide',
  myDisplay: 'wide',
  myData: 'wide',
  myAnswers: 'wide',
  myClosing: 'wide',
  myEmail: 'wide',
  myPhone: 'wide',
  undoChange: 'ajar',
  recovery: 'ajar',
  staffChange: 'ajar',
  myPeople: 'ajar',
  myKeys: 'wide',
  keyOffer: 'wide',
  appPassword: 'wide',
  signOut: 'lamp',
  counterNext: 'lamp',
  ownDevice: 'ajar',
  sharedDevice: 'wide',
  accountCloses: 'lamp',
};

/** Returns the door of a screen, for server and browser. `isVerified`: the code was right, and an app is next. */
export function stillOf(screen: ScreenName, isVerified = false): Door {
  return isVerified ? 'wide' : (STILLS[screen] ?? 'shut');
}

/** Returns the door during code entry. After a wrong code there are no digits; an unusable one shuts it. */
export function doorAtCode(digits: number, isOver = false): Door {
  if (isOver) return 'shut';
  return digits > 0 ? (String(Math.min(digits, 6)) as Door) : 'ajar';
}
