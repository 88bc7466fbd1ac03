/** Where no script runs. */
export const noScript = {
  signOut: 'Sign Out',
  contact: 'You can also contact us: {phone}, {email}',
} as const;
