/** What only the server says, in an answer's `messages`: no page carries these texts. */
export const refusals = {
  sessionOver: 'Your sign-in has ended. Please sign in again.',
  subtenantInvalid: 'We do not know this organization, or it is closed. Please check your link.',
  passwordGuessable:
    'This password is easy to guess. Please choose another one: a few words that only you would put together work well.',
  promoInvalid: 'We could not use this promo code. Check it, or leave it empty.',
  interactionOver: 'This sign-in was finished already, or it took too long.',
  badRequest: 'We could not read this request.',
  notFound: 'There is nothing at this address.',
  callRefused: 'We cannot call this phone. Please use the code in your mail or text.',
  resetWaits:
    'A change of this account waits. Nobody can set a new password until it takes effect. Please call us.',
  linkTaken: 'This sign-in is linked to another account. Please call us.',
  keptByOrganisation: 'You sign in by your organization. No password, key or app code is set here.',
  offByOrganisation:
    'The organization of this person switched the account off. Only it can switch it on.',
  lastOperator: 'This is the only operator of the console. Make somebody else an operator first.',
  conflict: 'This was already done.',
  forbidden: 'This is not allowed from here.',
  moduleUnknown:
    'This is not the id and the secret of a module. They are sent as HTTP Basic: base64 of id:secret.',
  handOffInvalid: 'This token was changed, or is none of ours.',
  handOffExpired: 'This token has expired. It is redeemed within a minute.',
  handOffOfAnother: 'This token is for another module.',
  handOffEncoded: 'This token is still in base64: decode it first.',
  keyRefused: 'We could not save this key. Your password and your code still work.',
  passwordWanted: 'This app wants your password as well.',
  captchaNeeded: 'A security check is needed first.',
  notShared:
    'This app does not open on a shared device. Please use a device of your own, or ask the staff here.',
  moduleMissing:
    'The app for your role is not set up yet. Please call us, and read out this reference: {reference}',
  unexpected: 'Something went wrong on our side. Reference: {reference}',
} as const;

export type RefusalMessage = keyof typeof refusals;
