/** The bar of a browser that many people use. */
export const counterBar = {
  label: 'Shared device',
  title: 'This device is shared',
  text: 'We keep nothing of you on it.',
  clears: 'This page clears in {time}',
  clearsShort: 'Clears in {time}',
  asks: 'Are you still there?',
  asksText: 'This page is about to clear itself.',
  more: 'I need more time',
  lead: 'Welcome. When you are done, press “Finished”.',
  panelTitle: 'Take your time.',
  panelText: 'Each key you press starts the 5 minutes again.',
  soonTitle: 'The door closes soon.',
  soonText: 'Then nothing of you is left on this device.',
  finished: 'Finished',
} as const;

/** The clean start of its next person. */
export const counterNext = {
  title: 'Ready for the next person',
  text: 'This device is shared. It kept nothing of the last visit.',
  start: 'Start',
  signedOut: 'Signed out',
  nothingKept: 'Nothing you typed is kept',
  standard: 'Standard letters again',
} as const;

/** What is not done on it. */
export const ownDevice = {
  title: 'Not on a shared device',
  text: 'You do this on a device of your own. Here the next person could do it, too.',
  back: 'Back to My account',
} as const;

/** The switch, for staff. */
export const sharedDevice = {
  title: 'Shared device',
  onLead: 'For the front desk: many people sign in here, one by one.',
  keepsNothing: 'It keeps nothing of them.',
  clears: 'It clears itself when no one has touched it for 5 minutes, and after 30 in all.',
  signsOut: 'You are signed out here now.',
  name: 'Name of this device',
  nameHint: 'For example: Front desk',
  on: 'Make it a shared device',
  offLead: 'This browser is a shared device now.',
  off: 'Stop sharing this device',
} as const;
