/** The button of an organization on the sign-in pages. */
export const organisationButton = {
  button: 'Continue with {label}’s sign-in',
  or: 'or with your email',
  onlyHere: 'Do you work for {label}? Then use the button above.',
} as const;
