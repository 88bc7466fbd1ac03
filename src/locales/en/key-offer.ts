/** The offer to save a key, after a sign-in. */
export const keyOffer = {
  offerTitle: 'Sign in faster next time',
  offerLead: 'With your face, your finger or the PIN of this device, as you unlock it.',
  offerShared: 'Then choose “Not now”. Anyone who can unlock this device could get in.',
  notNow: 'Not now',
  goOn: 'Continue',
  offerSaved: 'Your key is saved',
  offerNext: 'Next time, unlock this device and you are in.',
} as const;
