/** Mails to a trusted helper. `member` is the name of the person whom they help. */
export const helperMails = {
  asked: {
    subject: '{subtenant}: A person asks for your help',
    headline: '{member} asks for your help',
    text: '{member} wants you as a helper for signing in. You will not see a password or a code, and you do not sign in as {member}. You may ask us to send a mail or a new code to {member}.',
  },
  started: {
    subject: '{subtenant}: You are a helper now',
    headline: 'You now help {member}',
    text: 'Thank you. Your help ends by itself on {date}. You can end it at any time.',
  },
  endsSoon: {
    subject: '{subtenant}: Your help ends on {date}',
    headline: 'Your help for {member} ends on {date}',
    text: 'After a year help ends by itself. {member} can ask you again then.',
  },
  ended: {
    subject: '{subtenant}: Your help has ended',
    headline: 'You no longer help {member}',
    text: 'Your help for {member} has ended. There is nothing for you to do.',
  },
  copy: {
    subject: '{subtenant}: News for a person you help',
    headline: 'There is news for {member}',
    text: '{what}',
  },
  /** In place of a name that is not there. */
  nobody: 'The person you know',
  answer: 'Answer',
  answerHow: 'Sign in with this address. Then say yes or no.',
  signUpFirst:
    'No account yet? Choose Sign Up there, with this very address. Then come back to this mail.',
  toPage: 'People you help',
  notKnown: 'Do you not know {member}? Then do nothing. This ends by itself in 14 days.',
  why: 'You get this mail because you help {member}. Please ask {member} if this is right. If not, help them to call our help desk.',
  newSignIn: 'Somebody signed in with a new device or browser.',
  passwordTried: 'Somebody typed a wrong password many times.',
  otherChange: 'A way to sign in was changed.',
} as const;
