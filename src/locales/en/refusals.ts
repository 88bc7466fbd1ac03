/** What only the server says, in an answer's `messages`: no page carries these texts. */
export const refusals = {
  sessionOver: 'Your sign-in has ended. Please sign in again.',
  subtenantInvalid: 'We do not know this organisation, or it is closed. Please check your link.',
  promoInvalid: 'We could not use this promo code. Check it, or leave it empty.',
  interactionOver: 'This sign-in was finished already, or it took too long.',
  badRequest: 'We could not read this request.',
  notFound: 'There is nothing at this address.',
  conflict: 'This was already done.',
  forbidden: 'This is not allowed from here.',
  captchaNeeded: 'A security check is needed first.',
  unexpected: 'Something went wrong on our side. Reference: {reference}',
} as const;

export type RefusalMessage = keyof typeof refusals;
