/** Mails and text messages. Placeholders are filled by the server; nothing here names a service, a diagnosis or a programme. */
export const mails = {
  codeSubject: '{code} is your {subtenant} code',
  codeHeadline: 'Your code is {code}',
  codeSignUp: 'Type it on the sign-up page to confirm your email address.',
  codeSignIn: 'Type it on the sign-in page to finish signing in.',
  codeLife: 'It works for {minutes} from now.',
  codeWarning:
    'Nobody from {subtenant} will ever ask you for this code. If you did not ask for it, do nothing.',
  codeSms: '{code} is your {subtenant} code. Nobody will ask you for it.',
  codeLink: 'Or open this link on any device, it works for one day: {link}',
  resetSubject: 'Set a new password for {subtenant}',
  resetHeadline: 'Set a new password',
  resetText: 'Open this link to choose a new password. It works for 30 minutes.',
  resetWarning: 'You did not ask for this? Then do nothing. Your password stays as it is.',
  changedSubject: 'Your {subtenant} password was changed',
  changedHeadline: 'Your password was changed',
  changedText: 'We signed you out everywhere. Sign in again with your new password.',
  changedWarning: 'If this was not you, tell us at once: {help}',
  roleAddedSubject: 'Your {subtenant} account has a new role',
  roleAddedHeadline: 'A role was added to your account',
  roleAddedText:
    'Someone signed up with your email address. We added the role "{role}" to your account. Your password did not change.',
  roleAddedWarning: 'If this was not you, please tell us: {help}',
  greeting: 'Hello {name},',
  footer: 'Sent by {subtenant} with Porchlight.',
} as const;
