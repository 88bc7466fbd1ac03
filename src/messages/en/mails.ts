/** Mails and text messages. Placeholders are filled by the server; nothing here names a service, a diagnosis or a programme. */
export const mails = {
  codeSubject: '{code} is your {subtenant} code',
  codeHeadline: 'Your code is {code}',
  codeSignUp: 'Type it on the sign-up page to confirm your email address.',
  codeSignIn: 'Type it on the sign-in page to finish signing in.',
  codeLife: 'It works for {minutes} from now.',
  codeWarning: 'Nobody from {subtenant} will ever ask you for this code. If you did not ask for it, do nothing.',
  codeSms: '{code} is your {subtenant} code. Nobody will ask you for it.',
  roleAddedSubject: 'Your {subtenant} account has a new role',
  roleAddedHeadline: 'A role was added to your account',
  roleAddedText: 'Someone signed up with your email address. We added the role "{role}" to your account. Your password did not change.',
  roleAddedWarning: 'If this was not you, please tell us: {help}',
  greeting: 'Hello {name},',
  footer: 'Sent by {subtenant} with Porchlight.',
} as const;
