/** Mails and text messages. Placeholders are filled by the server; nothing here names a service, a diagnosis or a program. */
export const mails = {
  greeting: 'Hello {name},',
  greetingNobody: 'Hello,',
  footer: 'Sent by {subtenant} with Porchlight.',
  signIn: 'Sign in',
  notYou: 'If this was not you, do nothing.',
  writeToUs: 'Do you need help? Write to us: {help}',

  codeSubject: '{code} is your {subtenant} code',
  codeRest: 'is your {subtenant} code.',
  codeSignUp: 'Type this code on the sign-up page to confirm your email address.',
  codeRole:
    'You have an account already. Type this code on the sign-up page to use your account at {subtenant} as well. Your password stays as it is.',
  codeSignIn: 'Type this code on the sign-in page to finish signing in.',
  codeLife: 'The code works for {minutes}, until {time}.',
  codeLink: 'Or press this button, on any device. It works for {life}.',
  codeWarning:
    'Nobody from {subtenant} will ever ask you for this code. If you did not ask for it, do nothing.',
  codeSms: '{code} is your {subtenant} code. It works for {minutes}. Nobody will ask you for it.',
  confirm: 'Confirm my email address',

  activationSubject: 'Confirm your email address for {subtenant}',
  activationHeadline: 'Confirm your email address',
  activationText: 'You signed up at {subtenant}. One step is left.',
  activationLife: 'Press the button, on any device. It works for {life}.',
  activationWarning: 'You did not sign up? Then do nothing. The account stays closed.',

  resetSubject: 'Set a new password for {subtenant}',
  resetHeadline: 'Set a new password',
  resetText: 'Press the button to choose a new password. It works for {life}, once.',
  resetButton: 'Choose a new password',
  resetWarning: 'You did not ask for this? Then do nothing. Your password stays as it is.',

  invitationSubject: 'Your {subtenant} account',
  invitationHeadline: 'Your account is ready',
  invitationText:
    '{subtenant} made an account for you. Press the button to choose your password. It works for {life}, once.',
  invitationButton: 'Choose your password',
  invitationLater:
    "Is it too late for the button? Choose 'Forgot Password?' on the sign-in page and type this email address.",
  invitationWarning: 'You do not know {subtenant}? Then do nothing. Nobody can sign in.',

  changedSubject: 'Your {subtenant} password was changed',
  changedHeadline: 'Your password was changed',
  changedText: 'We signed you out everywhere. Sign in again with your new password.',
  changedWarning: 'If this was not you, tell us at once: {help}',

  roleAddedSubject: 'Your account now works at {subtenant}',
  roleAddedHeadline: 'A role was added to your account',
  roleAddedText:
    'Someone signed up at {subtenant} with your email address. You have an account already, so we added a role to it. Your password did not change.',
  roleAddedWarning: 'If this was not you, please tell us: {help}',

  existsSubject: 'You already have an account, says {subtenant}',
  existsHeadline: 'You already have an account',
  existsText:
    'Someone tried to sign up at {subtenant} with your email address. That is not needed: you can sign in. Your password did not change.',
  existsForgot: 'Forgot your password? You can set a new one on the sign-in page.',

  suspendedSubject: 'Your {subtenant} account is switched off',
  suspendedHeadline: 'Your account is switched off',
  suspendedText:
    'Someone asked {subtenant} for a new password for your account. The account is switched off, and a new password would not open it.',
  suspendedCall: 'Please call us: {phone}. Or write to us: {help}',

  nothingSubject: '{subtenant} found no account',
  nothingHeadline: 'We found no account',
  nothingText:
    'Someone asked {subtenant} for a new password for this email address. We have no account with it.',
  nothingOther: 'Did you sign up with another address? Then try that one.',
  signUp: 'Sign up',

  firstSignInSubject: 'The first sign-in to your {subtenant} account',
  firstSignInHeadline: 'The first sign-in to your account',
  firstSignInText: 'On {when} someone signed in to your {subtenant} account for the first time.',
  firstSignInOk: 'Was it you? Welcome! You do not have to do anything.',

  newSignInSubject: 'New sign-in to your {subtenant} account',
  newSignInHeadline: 'A new sign-in to your account',
  newSignInText:
    'On {when} someone signed in with {browser}. We have not seen this browser with your account before.',
  newSignInOk: 'Was it you? Then do nothing.',
  newSignInWarning:
    'It was not you? Choose a new password now. That signs out everyone else. Then tell us: {help}',
  browserOn: '{browser} on {system}',
  browserUnknown: 'a browser we do not know',

  triedSubject: 'Someone tried to sign in to your {subtenant} account',
  triedHeadline: 'Someone tried to sign in to your account',
  triedText:
    'In the last day someone typed your email address at {subtenant}, and a wrong password, many times. With a wrong password nobody gets in.',
  triedNothing: 'You do not have to do anything. Your password did not change.',
  triedYou: 'Was it you, and you forgot your password? Then choose a new one.',
  triedWarning:
    'We will never ask you for your password. Do you have a question? Write to us: {help}',

  trialSubject: 'Your {subtenant} free trial ends in {days}',
  trialHeadline: 'Your free trial ends in {days}',
  trialText: 'The last day is {date}. Until then nothing changes.',
  trialNothing: 'You do not have to do anything.',
  days: '{count} days',
  day: '1 day',
  hours: '{count} hours',
  hour: '1 hour',
} as const;
