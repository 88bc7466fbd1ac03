import type { Door } from '../looks/door.ts';
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

/** What browser and server need of a screen; `SERVED_SCREENS` has what only the server needs. */
export type Screen = {
  /** As docs/requirements.md spells it; matching ignores case and a closing slash. */
  readonly paths: readonly [string, ...string[]];
  readonly needs: Need;
  /** Beside the porch; other screens have the full width (GEN-08). */
  readonly hasBanner?: boolean;
  /** The porch's door on it. Default: shut. */
  readonly door?: Door;
};

/** Every screen, its paths and its needs. */
export const SCREENS = {
  signIn: {
    paths: ['/account/signin', '/legal-staff/signin', '/legal-staff/account/signin'],
    needs: 'nothing',
    hasBanner: true,
  },
  /** The sign-in that an OAuth client asked for. */
  clientSignIn: { paths: ['/account/AppSignIn'], needs: 'interaction', hasBanner: true },
  consent: { paths: ['/account/Consent'], needs: 'interaction', door: 'half' },
  interactionOver: { paths: ['/account/RequestOver'], needs: 'nothing' },
  confirmSignOut: { paths: ['/account/ConfirmSignOut'], needs: 'nothing' },
  signUp: {
    paths: ['/Account/SignUp', '/account/StartFreeTrial'],
    needs: 'nothing',
    hasBanner: true,
  },
  verifyOtp: { paths: ['/account/verifyOtp'], needs: 'otp', hasBanner: true, door: 'ajar' },
  redirect: {
    paths: ['/account/Redirect', '/legal-staff/Redirect'],
    needs: 'signIn',
    door: 'ajar',
  },
  selectRoles: { paths: ['/account/SelectRoles'], needs: 'roles', door: 'wide' },
  congratulation: { paths: ['/account/congratulation'], needs: 'nothing', door: 'wide' },
  signOut: { paths: ['/account/Signout'], needs: 'nothing', door: 'lamp' },
  unauthorized: { paths: ['/account/UnAuthorizedAccess'], needs: 'nothing' },
  forgotPassword: { paths: ['/account/ForgetPassword'], needs: 'nothing', hasBanner: true },
  resetPassword: {
    paths: ['/account/resetPassword'],
    needs: 'nothing',
    hasBanner: true,
    door: 'ajar',
  },
  setPassword: {
    paths: ['/account/setPassword'],
    needs: 'activationProof',
    hasBanner: true,
    door: 'ajar',
  },
  passwordDone: { paths: ['/account/SuccessResetPassword'], needs: 'nothing', door: 'wide' },
  activation: { paths: ['/account/Activation'], needs: 'nothing' },
  invalidLink: { paths: ['/account/Invalid'], needs: 'nothing' },
  browser: { paths: ['/account/browser'], needs: 'nothing' },
  help: { paths: ['/help'], needs: 'nothing', door: 'ajar' },
  guide: { paths: ['/help/guide'], needs: 'nothing' },
  myAccount: { paths: ['/account/me'], needs: 'account', door: 'wide' },
  myName: { paths: ['/account/me/name'], needs: 'account', door: 'wide' },
  myDevices: { paths: ['/account/me/devices'], needs: 'account', door: 'wide' },
  myAppCodes: { paths: ['/account/me/app-codes'], needs: 'account', door: 'wide' },
  myApps: { paths: ['/account/me/apps'], needs: 'account', door: 'wide' },
  myEmail: { paths: ['/account/me/email'], needs: 'account', door: 'wide' },
  myPhone: { paths: ['/account/me/phone'], needs: 'account', door: 'wide' },
  myPassword: { paths: ['/account/me/password'], needs: 'account', door: 'wide' },
  myWays: { paths: ['/account/me/ways'], needs: 'account', door: 'wide' },
  myDisplay: { paths: ['/account/me/display'], needs: 'account', door: 'wide' },
  myData: { paths: ['/account/me/data'], needs: 'account', door: 'wide' },
  myAnswers: { paths: ['/account/me/answers'], needs: 'account', door: 'wide' },
  myClosing: { paths: ['/account/me/close'], needs: 'account', door: 'wide' },
  accountCloses: { paths: ['/account/Closes'], needs: 'nothing', door: 'lamp' },
  /** The links of a mail about a change; their forms are plain, like those of My account. */
  undoChange: { paths: ['/account/undo'], needs: 'nothing', door: 'ajar' },
  staffChange: { paths: ['/account/change'], needs: 'nothing', door: 'ajar' },
  recovery: { paths: ['/account/recover'], needs: 'nothing', door: 'ajar' },
  invitation: { paths: ['/account/invitation'], needs: 'nothing', door: 'ajar' },
  myHelpers: { paths: ['/account/me/helpers'], needs: 'account' },
  myPeople: { paths: ['/account/me/people'], needs: 'account', door: 'ajar' },
  myKeys: { paths: ['/account/me/keys'], needs: 'account', door: 'wide' },
  /** Counter mode on and off, for staff; the clean start of the next person; what is refused on a shared device. */
  sharedDevice: { paths: ['/account/me/shared-device'], needs: 'account', door: 'wide' },
  counterNext: { paths: ['/account/Next'], needs: 'nothing', door: 'lamp' },
  ownDevice: { paths: ['/account/OwnDevice'], needs: 'nothing', door: 'ajar' },
  myOrganisation: { paths: ['/account/me/organization'], needs: 'account', door: 'wide' },
  keyOffer: { paths: ['/account/SaveKey'], needs: 'account', door: 'wide' },
  /** A module that takes the password's sealed copy, after a sign-in by key. */
  appPassword: { paths: ['/account/AppPassword'], needs: 'account', door: 'wide' },
  keyFailed: { paths: ['/account/KeyFailed', '/legal-staff/KeyFailed'], needs: 'nothing' },
  /** The sign-in of an organization let nobody in. */
  organisation: { paths: ['/account/organization'], needs: 'nothing' },
  notFound: { paths: ['/account/ErrorPage'], needs: 'nothing' },
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

/** The address of the console; `consolePath` has its pages. */
export const CONSOLE_PATH = '/console';

/** The console stands beside the portal's screens; a sign-in returns to it, too. */
export const CONSOLE_NEXT = 'console';

/** A page to which a sign-in returns. */
export type NextPage = ScreenName | typeof CONSOLE_NEXT;

/** Returns the page that a query names to return to; `null` for any other value, because the query is untrusted. */
export function returnPageIn(query: URLSearchParams): NextPage | null {
  const named = query.get(NEXT_QUERY) ?? '';
  if (named === CONSOLE_NEXT) return named;
  return Object.keys(SCREENS).includes(named) && SCREENS[named as ScreenName].needs === 'account'
    ? (named as ScreenName)
    : null;
}

/** Returns the path of a page to return to. */
export const pathOfNext = (next: NextPage): string =>
  next === CONSOLE_NEXT ? CONSOLE_PATH : pathOf(next);

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
