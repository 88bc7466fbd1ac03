/** The pages that say one thing (SCR-01 to SCR-05). */
export const pages = {
  congratulationTitle: 'Email verified',
  phoneVerifiedTitle: 'Phone number verified',
  created: 'Congratulations! your account has been created successfully',
  activated: 'Congratulations! your account is activated successfully',
  oldPassword:
    'Congratulations! your account is activated successfully. You may sign in with your old password.',
  login: 'Login',
  backToSignUp: 'back to sign up',
  signedOutTitle: 'Logged Out Successfully!',
  signedOutText: 'You can safely close this page.',
  signIn: 'Sign In',
  signUp: 'Sign Up',
  signOutTitle: 'Sign out',
  signingOut: 'Signing you out…',
  signOutFailedTitle: 'We could not sign you out',
  signOutFailed: 'Please close this browser if you share this computer.',
  unauthorizedTitle: 'Oops... Something went wrong !!!',
  unauthorizedPlain:
    'Your account cannot open this page. Call us, and we will look at it with you.',
  unauthorizedCountdown: 'Taking you to Sign In in {seconds} seconds',
  stay: 'Stay on this page',
  stayed: 'You stay on this page.',
  invalidText: 'The link you are trying to access is invalid or no longer available',
  notFoundTitle: 'Page not found',
  notFoundText: 'There is nothing at this address (error 404).',
  helpTitle: 'Call or write to us',
} as const;
