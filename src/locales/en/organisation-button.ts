/** The button of an organization on the sign-in pages. */
export const organisationButton = {
  button: 'Continue with {label}’s sign-in',
  or: 'or with your email',
  orPassword: 'or choose a password',
  onlyHere: 'Do you work for {label}? Then use the button above.',
} as const;
