/** The password for an app, after a sign-in by a saved key. */
export const appPassword = {
  appTitle: 'This app wants your password, too',
  appLead: 'You signed in with a saved key. This app still asks for your password.',
  current: 'Your password',
  open: 'Go on',
  opening: 'Opening …',
  openWithout: 'Go on without',
  withoutIt: 'Without it, the app may ask for it itself.',
  notYours: 'This is not your password',
  panelTitle: 'The door is open.',
  panelText: 'This app asks for your password once more.',
  empty: 'Please enter your password',
} as const;
