/** Mails about changes of an account: one entry a kind of change. */
export const accountMails = {
  /** Words for every kind; `what` is its own subject. */
  subject: '{subtenant}: {what}',
  undoText: '{press} and everything is as before. It works until {until}.',
  undoButton: 'Undo this change',
  wasYou: 'Was it you? Then do nothing.',
  wasNotYou: 'This was not me',
  callUs: 'Was this not you? Call us now.',
} as const;

/** What happened, for each kind of change. The subject stands as the headline, too. */
export const accountChanges = {
  nameChanged: {
    subject: 'Your name was changed',
    text: 'At {subtenant} your name is now {name}.',
  },
  emailChanged: {
    subject: 'Your email address was changed',
    text: 'Mails and codes of {subtenant} now go to {email}. Your old address still gets our notices for 3 days.',
  },
  phoneChanged: {
    subject: 'Your phone number was changed',
    text: 'Codes of {subtenant} now go to the phone ending in {phone}.',
  },
  phoneRemoved: {
    subject: 'Your phone number was removed',
    text: 'Codes of {subtenant} now come by mail only.',
  },
  changeUndone: {
    subject: 'Your change was undone',
    text: 'At {subtenant} your email and phone are as they were before. We signed you out everywhere, and the password no longer works.',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    text: 'Your password at {subtenant} was changed. We signed you out on all other devices.',
  },
  sessionsEnded: {
    subject: 'You were signed out on other devices',
    text: 'We ended other sign-ins to your account at {subtenant}, because you asked for it.',
  },
  accountCloses: {
    subject: 'Your account closes on {date}',
    text: 'You asked {subtenant} to close your account. On {date} we erase it. Do you want to keep it? Sign in before that day.',
  },
  accountKept: {
    subject: 'Your account stays open',
    text: 'You chose to keep your account at {subtenant}. Nothing was erased.',
  },
} as const satisfies Record<string, { readonly subject: string; readonly text: string }>;

export type AccountChange = keyof typeof accountChanges;
