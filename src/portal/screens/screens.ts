import type { ScreenName } from '#domain/flow/screens.ts';
import type { ScreenModule } from '../flow/view.ts';

/** The chunk of each screen. A new screen has a row here and one in `SCREENS`; its file is named after it (`screenFile`). */
const LOADERS: Readonly<Record<ScreenName, () => Promise<{ readonly screen: ScreenModule }>>> = {
  signIn: () => import('./sign-in/sign-in-screen.tsx'),
  clientSignIn: () => import('./client-sign-in/client-sign-in-screen.tsx'),
  consent: () => import('./consent/consent-screen.tsx'),
  interactionOver: () => import('./interaction-over/interaction-over-screen.tsx'),
  confirmSignOut: () => import('./confirm-sign-out/confirm-sign-out-screen.tsx'),
  signUp: () => import('./sign-up/sign-up-screen.tsx'),
  verifyOtp: () => import('./verify-otp/verify-otp-screen.tsx'),
  redirect: () => import('./redirect/redirect-screen.tsx'),
  selectRoles: () => import('./select-roles/select-roles-screen.tsx'),
  congratulation: () => import('./congratulation/congratulation-screen.tsx'),
  signOut: () => import('./sign-out/sign-out-screen.tsx'),
  unauthorized: () => import('./unauthorized/unauthorized-screen.tsx'),
  forgotPassword: () => import('./forgot-password/forgot-password-screen.tsx'),
  resetPassword: () => import('./reset-password/reset-password-screen.tsx'),
  setPassword: () => import('./set-password/set-password-screen.tsx'),
  passwordDone: () => import('./password-done/password-done-screen.tsx'),
  activation: () => import('./activation/activation-screen.tsx'),
  invalidLink: () => import('./invalid-link/invalid-link-screen.tsx'),
  browser: () => import('./browser/browser-screen.tsx'),
  help: () => import('./help/help-screen.tsx'),
  guide: () => import('./guide/guide-screen.tsx'),
  myAccount: () => import('./my-account/my-account-screen.tsx'),
  myName: () => import('./my-name/my-name-screen.tsx'),
  myDevices: () => import('./my-devices/my-devices-screen.tsx'),
  myAppCodes: () => import('./my-app-codes/my-app-codes-screen.tsx'),
  myApps: () => import('./my-apps/my-apps-screen.tsx'),
  myEmail: () => import('./my-email/my-email-screen.tsx'),
  myPhone: () => import('./my-phone/my-phone-screen.tsx'),
  myPassword: () => import('./my-password/my-password-screen.tsx'),
  myWays: () => import('./my-ways/my-ways-screen.tsx'),
  myDisplay: () => import('./my-display/my-display-screen.tsx'),
  myData: () => import('./my-data/my-data-screen.tsx'),
  myAnswers: () => import('./my-answers/my-answers-screen.tsx'),
  myClosing: () => import('./my-closing/my-closing-screen.tsx'),
  accountCloses: () => import('./account-closes/account-closes-screen.tsx'),
  staffChange: () => import('./staff-change/staff-change-screen.tsx'),
  undoChange: () => import('./undo-change/undo-change-screen.tsx'),
  recovery: () => import('./recovery/recovery-screen.tsx'),
  myHelpers: () => import('./my-helpers/my-helpers-screen.tsx'),
  myPeople: () => import('./my-people/my-people-screen.tsx'),
  myKeys: () => import('./my-keys/my-keys-screen.tsx'),
  sharedDevice: () => import('./shared-device/shared-device-screen.tsx'),
  counterNext: () => import('./counter-next/counter-next-screen.tsx'),
  ownDevice: () => import('./own-device/own-device-screen.tsx'),
  keyOffer: () => import('./key-offer/key-offer-screen.tsx'),
  appPassword: () => import('./app-password/app-password-screen.tsx'),
  keyFailed: () => import('./key-failed/key-failed-screen.tsx'),
  notFound: () => import('./not-found/not-found-screen.tsx'),
};

/** Loads a screen's module. */
export async function loadScreen(name: ScreenName): Promise<ScreenModule> {
  return (await LOADERS[name]()).screen;
}
