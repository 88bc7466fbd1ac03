/** The page 'Codes from an app' of My account. */
export const appCodes = {
  title: 'Codes from an app',
  lead: 'An app on your phone can show your code. Then we mail you none when you sign in.',
  rowOff: 'Off. We mail you a code.',
  rowOn: 'On. Your app shows your code.',
  before:
    'Do this only if you have such an app, or somebody who helps you with it. If you lose the app and your printed codes, you have to call us.',
  start: 'Set it up',
  step1: '1. Open your app',
  step1Text: 'Any app for sign-in codes will do, such as Google Authenticator. Press + in it.',
  step2: '2. Point it at this picture',
  picture: 'Picture for your app. The same key stands below it as text.',
  byHand: 'Or type this key into the app:',
  step3: '3. Type the code it shows',
  code: 'Your 6-digit code',
  confirm: 'Switch it on',
  stop: 'Not now',
  on: 'On. You set it up {ago}.',
  left: {
    one: 'You have {count} recovery code left.',
    other: 'You have {count} recovery codes left.',
  },
  renewText: 'New recovery codes take the place of the old ones.',
  renew: 'Show me new recovery codes',
  removeText:
    'You no longer want this, or you have a new phone? Switch it off, then set it up again.',
  remove: 'Switch it off',
  codesTitle: 'Your recovery codes',
  codesLead: 'Your phone is lost or broken? Then one of these opens your account. Each works once.',
  keep: 'Keep them where you keep your keys.',
  once: 'Print this page or write them down now. We cannot show them again.',
  done: 'I have them',
} as const;
