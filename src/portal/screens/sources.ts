import type { ScreenName } from '#domain/screens.ts';

/** Where each screen's module is, by the name that the build's manifest gives it. Only the server needs to know. */
export const SOURCES: Readonly<Record<ScreenName, string>> = {
  signIn: 'sign-in/sign-in-screen.tsx',
  clientSignIn: 'client-sign-in/client-sign-in-screen.tsx',
  consent: 'consent/consent-screen.tsx',
  interactionOver: 'interaction-over/interaction-over-screen.tsx',
  confirmSignOut: 'confirm-sign-out/confirm-sign-out-screen.tsx',
  signUp: 'sign-up/sign-up-screen.tsx',
  verifyOtp: 'verify-otp/verify-otp-screen.tsx',
  redirect: 'redirect/redirect-screen.tsx',
  selectRoles: 'select-roles/select-roles-screen.tsx',
  congratulation: 'congratulation/congratulation-screen.tsx',
  signOut: 'sign-out/sign-out-screen.tsx',
  unauthorized: 'unauthorized/unauthorized-screen.tsx',
  forgotPassword: 'forgot-password/forgot-password-screen.tsx',
  resetPassword: 'reset-password/reset-password-screen.tsx',
  setPassword: 'set-password/set-password-screen.tsx',
  passwordDone: 'password-done/password-done-screen.tsx',
  activation: 'activation/activation-screen.tsx',
  invalidLink: 'invalid-link/invalid-link-screen.tsx',
  browser: 'browser/browser-screen.tsx',
  help: 'help/help-screen.tsx',
  notFound: 'not-found/not-found-screen.tsx',
};
