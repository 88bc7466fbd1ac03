/** Mails and text messages. Placeholders are filled by the server; nothing here names a service, a diagnosis or a program. */
export const mails = {
  greeting: 'Hello {name},',
  greetingNobody: 'Hello,',
  footer: 'Sent by {subtenant} with Porchlight.',
  footerOwn: 'Sent by {subtenant}.',
  help: 'Do you need help?',
  /** Two links: an app for calls and one for mails open by them. */
  callUs: 'Call {phone}',
  orWrite: 'Or write to us:',
  signIn: 'Sign In',
  notYou: 'If this was not you, do nothing.',
  wasNotYou: 'Was this not you? Call us now.',
  /** The HTML half of a mail has buttons, the plain half has links. */
  pressButton: 'Press the button',
  theButton: 'the button',
  openLink: 'Open this link',
  theLink: 'the link',

  codeSubject: '{code} is your {subtenant} code',
  codeRest: 'is your {subtenant} code.',
  codeSignUp: 'Type {code} in the six boxes on the sign-up page. That confirms your email address.',
  codeRole:
    'You have an account already. Type {code} in the six boxes on the sign-up page, so that your account also works at {subtenant}. Your password stays as it is.',
  codeSignIn: 'Type {code} in the six boxes on the sign-in page.',
  codeStepUp: 'Type {code} on the page of your account that asks for it.',
  thisCode: 'this code',
  codeLife: 'The code works for {minutes}. Too late? Ask for a new one on the page.',
  codeLifeUntil:
    'The code works for {minutes}, until {time}. Too late? Ask for a new one on the page.',
  codeOr: 'Or do it without the code.',
  codePage: 'Our page has six boxes. Does yours look different? Stop, and call us.',
  codeWarning: 'Nobody from us will ask you for this code. If you did not ask for it, do nothing.',
  codeSms:
    '{code} is your {subtenant} code. It works for {minutes}. Nobody from us will ask you for this code.',
  /** Where the one above would be two text messages. */
  codeSmsShort: '{code} is your {subtenant} code. Nobody from us will ask you for this code.',
  confirm: 'Confirm my email address',

  activationSubject: 'Confirm your email address for {subtenant}',
  activationHeadline: 'Confirm your email address',
  activationText: 'You signed up at {subtenant}. One step is left.',
  activationLife: '{press}, on any device. It works for {life}.',
  activationWarning: 'If you did not sign up, you can delete this mail. Nothing will happen.',

  resetSubject: 'Set a new password for {subtenant}',
  resetHeadline: 'Set a new password',
  resetText: '{press} and choose a new password. It works once, and for {life}.',
  resetButton: 'Choose a new password',
  resetWarning: 'You did not ask for this? Then do nothing. Your password stays as it is.',

  invitationSubject: 'Your {subtenant} account',
  invitationHeadline: 'Your account is ready',
  invitationText:
    '{subtenant} made an account for you. {press} and choose your password. It works once, and for {life}.',
  invitationButton: 'Choose your password',
  invitationLater:
    "Does {button} no longer work? Go to the sign-in page and choose 'Forgot Password?'.",
  invitedSubject: 'An invitation to {subtenant}',
  invitedHeadline: '{by} invites you',
  invitedText: '{by} invites you to {subtenant}, as: {role}.',
  invitedNext:
    '{press} to see what that means. Nothing happens before you say yes. The invitation is good until {date}.',
  invitedButton: 'See the invitation',
  invitedWarning: 'You do not know {by} or {subtenant}? Then do nothing. No account exists.',
  takenSubject: '{subtenant}: You have an account already',
  takenHeadline: 'You have an account already',
  takenText: 'Somebody wanted to invite this address to a house that uses our sign-in.',
  takenStays:
    'You have an account with this address. It stays as it is: it was added nowhere, and nobody was told that you have one.',
  takenOther:
    'Do you want to go there? Give them another address of yours, such as the one of your work.',
  takenWarning: 'You know nothing of this? Then do nothing.',
  staffChangeSubject: '{subtenant}: Please confirm a change',
  staffChangeHeadline: 'Please confirm a change',
  staffChangeText:
    'Our help desk at {subtenant} was asked to change how you sign in. {press} and see what it is. The page is there for 7 days.',
  staffChangeButton: 'See the change',
  staffChangeWarning: 'You did not ask for this? Then press nothing, and call us.',
  staffChangeSms: '{subtenant}: Your sign-in will change. Not you? Stop: {link}',
  invitationWarning: 'You do not know {subtenant}? Then do nothing. Nobody can sign in.',

  changedSubject: 'Your {subtenant} password was changed',
  changedHeadline: 'Your password was changed',
  changedText: 'We signed you out everywhere. Sign in again with your new password.',
  firstPasswordSubject: 'Your {subtenant} password is set',
  firstPasswordHeadline: 'Your password is set',
  firstPasswordText: 'You can now sign in with it.',
  changedRemoved: 'To be safe we also removed what was new: {names}. You can add it again.',

  roleAddedSubject: 'Your account now works at {subtenant}',
  roleAddedHeadline: 'Your account now also opens {subtenant}',
  roleAddedText:
    'Someone signed up at {subtenant} with your email address. You have an account already, so it now opens {subtenant} too. Your password did not change.',

  existsSubject: 'You already have an account at {subtenant}',
  existsHeadline: 'You already have an account',
  existsText:
    'Someone tried to sign up at {subtenant} with your email address. That is not needed: you can sign in. Your password did not change.',
  existsForgot: 'Forgot your password? You can set a new one on the sign-in page.',

  byOrganisationSubject: 'How you sign in at {subtenant}',
  byOrganisationHeadline: 'You sign in by {organization}',
  byOrganisationText:
    'Someone asked {subtenant} for a new password or account with your email address. You have an account, and it needs no password here.',
  byOrganisationButton: 'On the sign-in page, press “Continue with {organization}’s sign-in”.',

  suspendedSubject: 'Your {subtenant} account is switched off',
  suspendedHeadline: 'Your account is switched off',
  suspendedText:
    'Someone asked {subtenant} for a new password for your account. The account is switched off, and a new password would not open it.',
  suspendedCall: 'Please call us. We will look at it with you.',

  nothingSubject: '{subtenant} found no account',
  nothingHeadline: 'We found no account',
  nothingText:
    'Someone asked {subtenant} for a new password for this email address. We have no account with it.',
  nothingOther: 'Did you sign up with another address? Then try that one.',
  signUp: 'Sign up',

  firstSignInSubject: 'The first sign-in to your {subtenant} account',
  firstSignInHeadline: 'The first sign-in to your account',
  firstSignInText: '{when} someone signed in to your {subtenant} account for the first time.',
  firstSignInOk: 'Was it you? Welcome! You do not have to do anything.',

  newSignInSubject: 'New sign-in to your {subtenant} account',
  newSignInHeadline: 'A new sign-in to your account',
  newSignInText:
    '{when} someone signed in with {browser}. We have not seen this browser with your account before.',
  newSignInOk: 'Was it you? Then do nothing.',
  newSignInWarning:
    'Was this not you? Call us now. Or choose a new password: that signs out everyone else.',
  /** With a clock and without: mail programs show the time of a mail in the zone of its reader. */
  whenAt: 'On {date}, {time}',
  whenJustNow: 'Just before we sent this mail,',
  browserOn: '{browser} on {system}',
  systems: {
    iPhone: 'an iPhone',
    iPad: 'an iPad',
    android: 'Android',
    windows: 'Windows',
    chromebook: 'a Chromebook',
    mac: 'a Mac',
    linux: 'Linux',
  },
  browserUnknown: 'a browser we do not know',

  triedSubject: 'Someone tried to sign in to your {subtenant} account',
  triedHeadline: 'Someone tried to sign in to your account',
  triedText:
    'Since yesterday someone tried many times to sign in as you at {subtenant}, with a wrong password. With a wrong password nobody gets in.',
  triedNothing: 'You do not have to do anything. Your password did not change.',
  triedYou: 'Was it you, and you forgot your password? Then choose a new one.',
  triedWarning: 'We will never ask you for your password. Do you have a question? Call us.',

  trialSubject: 'Your {subtenant} free trial ends in {days}',
  trialHeadline: 'Your free trial ends in {days}',
  trialText: 'Your trial ends on {date}. You can still sign in after that day.',
  trialCost: 'The trial is free. We asked for no card and no bank account when it began.',
  trialQuestion: 'Do you want to know what comes next? Call us.',
} as const;
