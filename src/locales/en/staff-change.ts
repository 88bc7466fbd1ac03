/** The page of a mailed link about a change that the help desk was asked for. */
export const staffChange = {
  title: 'Is this change right?',
  what: {
    email: 'You asked our help desk to use this email address for your account: {to}',
    phone: 'You asked our help desk to use this phone for your account: {to}',
    key: 'You asked our help desk to take a saved key away from your account.',
    appCode: 'You asked our help desk to take the code of your app away. Codes come by mail again.',
  },
  yes: 'Yes, change it now',
  password:
    'Type the password of your account. Then the change takes effect three days later. Until then each of your contacts can stop it.',
  passwordLabel: 'Password',
  passwordButton: 'Change it in three days',
  byPhone: 'A code shows us that it is you. We can send it to your {phone}',
  byKey: 'Do you have a saved key, or codes from an app? Then it takes effect at once.',
  byKeyLink: 'Sign in with it, then open this link again.',
  forgotten:
    'Does none of this work? Then press “This mailbox is mine”. A second colleague checks it. The change is made three days later.',
  mailbox: 'This mailbox is mine',
  waits: 'Thank you. A second colleague checks it now. The change is made three days after that.',
  stopTitle: 'Stop this change?',
  stopLead:
    'Our help desk was asked to change how you sign in. Press the button, and nothing changes.',
  stop: 'Stop the change',
  stopByPassword:
    'It was stopped before, and asked for again by a person at our desk. So type the password of your account to stop it.',
  stopByKey: 'Do you have a saved key, or codes from an app?',
  no: 'You did not ask for this? Then press nothing, and call us.',
  begunTitle: 'The change takes effect in three days',
  begun:
    'We told each of your contacts. Did you not ask for it? Then press the link in that mail, or call us.',
  changedTitle: 'Done. The change is made',
  changed: 'We told you by mail. You can sign in now.',
  stoppedTitle: 'Nothing was changed',
  stopped: 'The change is stopped. Did somebody else ask for it? Then please call us.',
  over: 'This link no longer works',
  overText: 'It was used, or its time is over. Please call us.',
} as const;
