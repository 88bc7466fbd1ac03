/** The few pages of the hosted login itself: no browser's bundle has these texts. */
export const providerPages = {
  goToSignIn: 'Go to Sign In',
  notFound: 'We could not find that page',
  notSignedIn: 'We could not sign you in',
  appMistake: 'The app that sent you here made a mistake. Reference: {reference}',
  startAgain: 'Nothing is lost. Please start again from the sign-in page.',
  signOutFailed: 'We could not finish signing you out',
  signOutLink:
    'The link that brought you here has a mistake in it. You can go to the sign-in page.',
  signedOut: 'You are signed out',
  closePage: 'You can close this page.',
  signOut: 'Sign out',
  signingOut: 'Signing you out',
  moment: 'One moment, please.',
  askTitle: 'Do you want to sign out?',
  askText: 'Another page asked to sign you out.',
  askYes: 'Yes, sign me out',
  askNo: 'No, keep me signed in',
} as const;
