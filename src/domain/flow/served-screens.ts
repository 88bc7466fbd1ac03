import type { ScreenName } from './screens.ts';

/** What only the server needs of a screen: these rows are apart from `SCREENS`, so that no browser loads them. */
type ServedScreen = {
  /** A screen of text and links wakes when a button is pressed, one that waits for its reader when it is used. Default: at once. */
  readonly wakes?: 'whenPressed' | 'whenUsed';
  /** It changes a way in, or leaves a file behind: it is not shown on a shared device. */
  readonly needsOwnDevice?: boolean;
  /** A mailed link opens it, and it has a plain form. */
  readonly isMailed?: boolean;
  /** The parts of the account's data that it shows; other parts are on every page of My account. */
  readonly shows?: readonly AccountPart[];
};

export type AccountPart =
  | 'lastSignIn'
  | 'endedDevices'
  | 'apps'
  | 'contacts'
  | 'keys'
  | 'answers'
  | 'helpers'
  | 'people'
  | 'organisation'
  | 'console'
  | 'stepUp';

const SERVED_SCREENS: Readonly<Partial<Record<ScreenName, ServedScreen>>> = {
  signIn: { wakes: 'whenUsed' },
  clientSignIn: { wakes: 'whenUsed' },
  consent: { wakes: 'whenUsed' },
  interactionOver: { wakes: 'whenPressed' },
  confirmSignOut: { wakes: 'whenUsed' },
  signUp: { wakes: 'whenUsed' },
  congratulation: { wakes: 'whenPressed' },
  forgotPassword: { wakes: 'whenUsed' },
  setPassword: { wakes: 'whenUsed' },
  passwordDone: { wakes: 'whenPressed' },
  invalidLink: { wakes: 'whenPressed' },
  help: { wakes: 'whenPressed' },
  guide: { wakes: 'whenPressed' },
  myAccount: {
    wakes: 'whenUsed',
    shows: [
      'lastSignIn',
      'apps',
      'contacts',
      'keys',
      'helpers',
      'people',
      'organisation',
      'console',
    ],
  },
  myName: { wakes: 'whenUsed' },
  myDevices: { wakes: 'whenUsed', shows: ['endedDevices', 'stepUp'] },
  myAppCodes: { needsOwnDevice: true, shows: ['stepUp'] },
  myApps: { wakes: 'whenUsed', shows: ['apps'] },
  myEmail: { needsOwnDevice: true, shows: ['contacts', 'stepUp'] },
  myPhone: { needsOwnDevice: true, shows: ['contacts', 'stepUp'] },
  myPassword: { needsOwnDevice: true, shows: ['stepUp'] },
  myWays: { needsOwnDevice: true, shows: ['keys'] },
  myData: { needsOwnDevice: true, shows: ['stepUp'] },
  myAnswers: { shows: ['answers'] },
  myClosing: { shows: ['contacts', 'stepUp'] },
  undoChange: { isMailed: true },
  staffChange: { isMailed: true },
  recovery: { isMailed: true },
  invitation: { isMailed: true },
  myHelpers: { wakes: 'whenUsed', needsOwnDevice: true, shows: ['helpers', 'stepUp'] },
  myPeople: { wakes: 'whenUsed', shows: ['people', 'stepUp'] },
  myKeys: { wakes: 'whenUsed', needsOwnDevice: true, shows: ['keys', 'stepUp'] },
  myOrganisation: { needsOwnDevice: true, shows: ['organisation', 'stepUp'] },
  sharedDevice: { wakes: 'whenUsed' },
  counterNext: { wakes: 'whenPressed' },
  ownDevice: { wakes: 'whenPressed' },
  keyOffer: { needsOwnDevice: true },
  keyFailed: { wakes: 'whenUsed' },
  organisation: { wakes: 'whenPressed' },
  notFound: { wakes: 'whenPressed' },
};

export const servedScreen = (screen: ScreenName): ServedScreen => SERVED_SCREENS[screen] ?? {};
