/** The offer to save a key, after a sign-in. */
export const keyOffer = {
  offerTitle: 'Sign in faster next time',
  offerLead: 'With your face, fingerprint or passcode: the way you unlock this device.',
  offerShared: 'Then choose “Not now”. Anyone who can unlock this device could get in.',
  notNow: 'Not now',
  goOn: 'Go on',
  offerSaved: 'Your key is saved',
} as const;
