/** The page of a saved key that did not work. */
export const keyFailed = {
  backToLogin: 'Back to Login',
  failedTitle: 'Your saved key did not work',
  failedLead: 'Nothing is lost, and your account is safe. {why} There are two ways on.',
  again: 'Try the key again',
  againText: 'Have your face, finger or PIN ready.',
  againButton: 'Try again',
  without: 'Sign in without the key',
  withoutText: 'With your password and a 6-\u2060digit code, as before.',
  withoutButton: 'Use my password',
  eachTime: 'It fails each time? Sign in with your password, then save a new key under My account.',
  panelTitle: 'Two ways to the same door.',
  panelText: 'This happens. Your key is still there.',
} as const;
