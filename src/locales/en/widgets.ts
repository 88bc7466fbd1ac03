/** Texts of the larger building blocks, apart from `ui` so that the sign-in page does not carry them. */
export const widgets = {
  checklist: {
    done: ', done',
    notYet: ', not yet',
    allMet: 'All password rules met.',
    someMet: '{met} of {total} password rules met. Missing: {missing}.',
  },

  country: {
    phone: 'Phone Number',
    failed: 'Other countries could not be loaded.',
    label: 'Country code, {name}',
    search: 'Search country or code',
    found: { one: '{count} country', other: '{count} countries' },
    none: 'No country found',
    example: 'For example {example}',
  },

  maskedEmail: '{first}, dots, at {domain}',
  phoneEnding: 'phone ending in {digits}',

  otp: {
    box: 'Digit {n} of {total}',
  },

  email: {
    didYouMean: 'Did you mean {email}?',
    useIt: 'Yes, use this one',
    changed: 'Changed to {email}',
  },
  countdown: {
    ranOut: 'This code no longer works. Ask for a new one.',
    resend: 'Click to resend',
    moreTime: 'I need more time',
    secondsLeft: '{seconds} seconds left to use this code',
  },

  progress: {
    waiting: 'waiting',
    active: 'in progress',
    done: 'done',
    failed: 'failed',
  },
} as const;
