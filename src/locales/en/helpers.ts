/** 'Who may help you' and 'People you help'. A helper is "they", because the product knows nothing else. */
export const helpers = {
  title: 'Who may help you',
  lead: 'A helper has a sign-in of their own. It takes the place of a shared password.',
  panelTitle: 'A helper waits on the porch.',
  panelText: 'Only you go in. You hold the key.',
  states: {
    asked: 'We asked them. Now they have to say yes, until {date}.',
    helping: 'They help you.',
    endsSoon: 'They help you, but not for long.',
    ended: 'This help has ended.',
  },
  ends: 'This ends by itself on {date}. We tell you of all that they do.',
  endsSoon: 'This ends by itself on {date}. After that you can ask them again.',
  may: 'A helper may',
  mayList: [
    'see if you can sign in',
    'ask us to mail you a link for a new password',
    'ask us to send you a new code',
    'unlock your sign-in, once a day',
    'read that something changed, but not what you have',
  ],
  mayNot: 'A helper may not',
  mayNotList: [
    'see your password or your codes',
    'sign in as you',
    'see your devices, email or phone',
    'change your account',
  ],
  end: 'End this help',
  endOf: 'End the help of {name}',
  add: 'Add a helper',
  addLead: 'We send them a mail. They help you once they say yes.',
  email: 'Email of your helper',
  relation: 'What they are to you',
  relationHint: 'For example: my daughter, or a neighbor',
  ask: 'Ask them to help',
  full: 'You have 3 helpers. To add one, first end one.',

  peopleTitle: 'People you help',
  youAre: 'You are {me}. This is not the account of {name}.',
  youAreOfMany: 'You are {me}. These are not your accounts.',
  nobody: 'You help nobody now.',
  unnamed: 'the person you know',
  peoplePanelTitle: 'You wait on the porch.',
  peoplePanelText: 'Codes and passwords of others never come to you.',
  canSignIn: '{name} can sign in.',
  cannotSignIn: '{name} has trouble with signing in.',
  askFor: {
    reset: 'Mail {name} a link for a new password',
    resend: 'Send {name} a new code or link',
    unlock: 'Unlock the sign-in of {name}',
  },
  askNote: 'What you ask for goes to {name}, never to you. We tell {name} that you asked.',
  until: 'Your help ends by itself on {date}.',
  stop: 'Stop helping {name}',
  asks: '{name} asks for your help',
  asksText:
    'You can ask us to send a mail or a code to {name}. You see no password and no code, and you never sign in as {name}.',
  yes: 'Yes, I help {name}',
  no: 'No, I do not',
  said: {
    accepted: 'Thank you. From now on you can help.',
    ended: 'Your help has ended.',
    done: 'Done. What we can send now is on its way, and we tell them that you asked.',
    notNow: 'We cannot do this now. Please try again later, or call us.',
    over: 'This help is over, or was never yours.',
  },
} as const;

/** What is wrong with the form that names a helper. */
export const helperProblems = {
  relationRequired: 'Please say what they are to you',
  relationInvalid: 'Please use a few words, such as: my daughter',
  helperIsYou: 'This is your own address. Please type that of your helper',
  helperIsThere: 'You have asked this person already',
  helpersFull: 'You have 3 helpers. Please end one first',
} as const;

export type HelperProblem = keyof typeof helperProblems;
