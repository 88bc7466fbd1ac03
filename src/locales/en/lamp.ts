/** Help: the lamp of every page with its card, and the page. */
export const lamp = {
  button: 'Help',
  close: 'Close',
  open: 'A person answers',
  shut: 'We are closed now',
  never: 'We never ask for your password or your code.',
  print: 'Print this page',
  write: 'Write to us',
  call: 'Call us',
  guide: 'Print how to sign in',
  before: 'Before you call',
  ready: 'Have your email address ready.',
  panelLit: 'The lamp is on. Somebody is there.',
  panelOut: 'The lamp is out. We are closed now.',
  panelText: 'You find the lamp at the top of each page. Press it, and our number is there.',
} as const;
