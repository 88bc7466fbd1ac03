/** The activation link's page and its two refusals (seed sections 2 and 8). */
export const activation = {
  checking: 'Checking your link…',
  title: 'Activate your account',
  lead: 'We send a 6-digit code to {email} and {phone}.',
  submit: 'Send my code',
  pending: 'Sending your code…',
  doneTitle: 'Email verified',
  doneText: 'Your account is active. You can sign in.',
  invalidTitle: 'This link is invalid',
  invalidText: 'The link you are trying to access is invalid or no longer available',
  expiredTitle: 'This link is expired',
  expiredText: 'The link you are trying to access has expired or is no longer available',
  login: 'Login',
  newLink: 'Get a new link',
} as const;
