export const redirect = {
  title: 'Signing you in',
  failedTitle: 'We could not sign you in',
  steps: [
    'Checking for Secured connection',
    'Validate User ID',
    'Validate login session',
    'Checking if any Multi-Role',
    'Validated successfully Signing-in',
  ],
  sendingOtp: 'Sending your code',
  backToSignIn: 'Back to Sign In',
  universalLogin: 'Go to the Universal Login',
} as const;
