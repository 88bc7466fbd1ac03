import type { Entrance } from '../people/role-routing.ts';

/** The condition of a visit for a screen; without it `screenFor` selects another screen. */
export type Need =
  | 'nothing'
  | 'otp'
  | 'signIn'
  | 'roles'
  | 'account'
  | 'activationProof'
  | 'interaction';

export type Screen = {
  /** As docs/requirements.md spells it; matching ignores case and a closing slash. */
  readonly paths: readonly [string, ...string[]];
  readonly needs: Need;
  /** Full width: no side banner (GEN-08). */
  readonly isFullWidth: boolean;
};

/** Every screen, its paths and its needs. */
export const SCREENS = {
  signIn: {
    paths: ['/account/signin', '/legal-staff/signin', '/legal-staff/account/signin'],
    needs: 'nothing',
    isFullWidth: false,
  },
  /** The sign-in that an OAuth client asked for. */
  clientSignIn: { paths: ['/account/AppSignIn'], needs: 'interaction', isFullWidth: false },
  consent: { paths: ['/account/Consent'], needs: 'interaction', isFullWidth: true },
  interactionOver: { paths: ['/account/RequestOver'], needs: 'nothing', isFullWidth: true },
  confirmSignOut: { paths: ['/account/ConfirmSignOut'], needs: 'nothing', isFullWidth: true },
  signUp: {
    paths: ['/Account/SignUp', '/account/StartFreeTrial'],
    needs: 'nothing',
    isFullWidth: false,
  },
  verifyOtp: { paths: ['/account/verifyOtp'], needs: 'otp', isFullWidth: false },
  redirect: {
    paths: ['/account/Redirect', '/legal-staff/Redirect'],
    needs: 'signIn',
    isFullWidth: true,
  },
  selectRoles: { paths: ['/account/SelectRoles'], needs: 'roles', isFullWidth: true },
  congratulation: { paths: ['/account/congratulation'], needs: 'nothing', isFullWidth: true },
  signOut: { paths: ['/account/Signout'], needs: 'nothing', isFullWidth: true },
  unauthorized: { paths: ['/account/UnAuthorizedAccess'], needs: 'nothing', isFullWidth: true },
  forgotPassword: { paths: ['/account/ForgetPassword'], needs: 'nothing', isFullWidth: false },
  resetPassword: { paths: ['/account/resetPassword'], needs: 'nothing', isFullWidth: false },
  setPassword: { paths: ['/account/setPassword'], needs: 'activationProof', isFullWidth: false },
  passwordDone: { paths: ['/account/SuccessResetPassword'], needs: 'nothing', isFullWidth: true },
  activation: { paths: ['/account/Activation'], needs: 'nothing', isFullWidth: true },
  invalidLink: { paths: ['/account/Invalid'], needs: 'nothing', isFullWidth: true },
  browser: { paths: ['/account/browser'], needs: 'nothing', isFullWidth: true },
  help: { paths: ['/help'], needs: 'nothing', isFullWidth: true },
  guide: { paths: ['/help/guide'], needs: 'nothing', isFullWidth: true },
  myAccount: { paths: ['/account/me'], needs: 'account', isFullWidth: true },
  myName: { paths: ['/account/me/name'], needs: 'account', isFullWidth: true },
  myDevices: { paths: ['/account/me/devices'], needs: 'account', isFullWidth: true },
  myAppCodes: { paths: ['/account/me/app-codes'], needs: 'account', isFullWidth: true },
  myApps: { paths: ['/account/me/apps'], needs: 'account', isFullWidth: true },
  myEmail: { paths: ['/account/me/email'], needs: 'account', isFullWidth: true },
  myPhone: { paths: ['/account/me/phone'], needs: 'account', isFullWidth: true },
  myPassword: { paths: ['/account/me/password'], needs: 'account', isFullWidth: true },
  myWays: { paths: ['/account/me/ways'], needs: 'account', isFullWidth: true },
  myDisplay: { paths: ['/account/me/display'], needs: 'account', isFullWidth: true },
  myData: { paths: ['/account/me/data'], needs: 'account', isFullWidth: true },
  myAnswers: { paths: ['/account/me/answers'], needs: 'account', isFullWidth: true },
  myClosing: { paths: ['/account/me/close'], needs: 'account', isFullWidth: true },
  accountCloses: { paths: ['/account/Closes'], needs: 'nothing', isFullWidth: true },
  /** The links of a mail about a change; their forms are plain, like those of My account. */
  undoChange: { paths: ['/account/undo'], needs: 'nothing', isFullWidth: true },
  staffChange: { paths: ['/account/change'], needs: 'nothing', isFullWidth: true },
  recovery: { paths: ['/account/recover'], needs: 'nothing', isFullWidth: true },
  myHelpers: { paths: ['/account/me/helpers'], needs: 'account', isFullWidth: true },
  myPeople: { paths: ['/account/me/people'], needs: 'account', isFullWidth: true },
  myKeys: { paths: ['/account/me/keys'], needs: 'account', isFullWidth: true },
  /** Counter mode on and off, for staff; the clean start of the next person; what is refused on a shared device. */
  sharedDevice: { paths: ['/account/me/shared-device'], needs: 'account', isFullWidth: true },
  counterNext: { paths: ['/account/Next'], needs: 'nothing', isFullWidth: true },
  ownDevice: { paths: ['/account/OwnDevice'], needs: 'nothing', isFullWidth: true },
  keyOffer: { paths: ['/account/SaveKey'], needs: 'account', isFullWidth: true },
  /** A module that takes the password's sealed copy, after a sign-in by key. */
  appPassword: { paths: ['/account/AppPassword'], needs: 'account', isFullWidth: true },
  keyFailed: {
    paths: ['/account/KeyFailed', '/legal-staff/KeyFailed'],
    needs: 'nothing',
    isFullWidth: true,
  },
  notFound: { paths: ['/account/ErrorPage'], needs: 'nothing', isFullWidth: true },
} as const satisfies Record<string, Screen>;

export type ScreenName = keyof typeof SCREENS;

/** A loop: a regular expression for closing slashes takes quadratic time on a path of slashes. */
function normalize(path: string): string {
  let { length } = path;
  while (path[length - 1] === '/') length -= 1;
  return path.slice(0, length).toLowerCase();
}

const BY_PATH: ReadonlyMap<string, ScreenName> = new Map(
  (Object.keys(SCREENS) as ScreenName[]).flatMap((name) =>
    SCREENS[name].paths.map((path) => [normalize(path), name] as const),
  ),
);

/** Returns the screen at a path, in any letter case; `null` for an unknown one. */
export function screenAt(path: string): ScreenName | null {
  return BY_PATH.get(normalize(path)) ?? null;
}

/** Returns the entry point of a path: staff use /legal-staff (SIN-01, RED-02). */
export function entranceOf(path: string): Entrance {
  return path.toLowerCase().includes('legal-staff') ? 'legalStaff' : 'portal';
}

/** The query parameter that names the OAuth client's interaction of this tab. */
export const INTERACTION_QUERY = 'request';

/** The query parameter that names the page of My account to which a sign-in returns. */
export const NEXT_QUERY = 'next';

/** The console stands beside the portal's screens; a sign-in returns to it, too. */
export const CONSOLE_NEXT = 'console';

/** A page to which a sign-in returns. */
export type NextPage = ScreenName | typeof CONSOLE_NEXT;

/** Returns the page that a query names to return to; `null` for any other value, because the query is untrusted. */
export function nextIn(query: URLSearchParams): NextPage | null {
  const named = query.get(NEXT_QUERY) ?? '';
  if (named === CONSOLE_NEXT) return named;
  return Object.keys(SCREENS).includes(named) && SCREENS[named as ScreenName].needs === 'account'
    ? (named as ScreenName)
    : null;
}

/** Returns the path of a page to return to. */
export const pathOfNext = (next: NextPage): string =>
  next === CONSOLE_NEXT ? '/console' : pathOf(next);

/** The query parameter of sign-in after a session ended by idling (SIN-04). */
export const EXPIRED_QUERY = 'expired';

/** Returns the path of a screen for an entry point. */
export function pathOf(name: ScreenName, entrance: Entrance = 'portal'): string {
  const paths: readonly string[] = SCREENS[name].paths;
  const staffPath = paths.find((path) => entranceOf(path) === 'legalStaff');
  return (entrance === 'legalStaff' ? staffPath : undefined) ?? SCREENS[name].paths[0];
}

/** The free trial and the ordinary sign-up are one screen at two addresses. */
export const FREE_TRIAL_PATH = '/account/StartFreeTrial';
