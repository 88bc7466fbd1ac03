/** The row of My account for the sign-in of an organization. */
export const organisationRow = {
  title: '{label}’s sign-in',
  none: 'Not linked. One press less each day.',
  linked: 'Linked',
  as: 'as {name}',
  link: 'Link it',
} as const;
