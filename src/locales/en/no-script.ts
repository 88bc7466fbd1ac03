/** Where a page waits for something that only a script can do. */
export const noScript = {
  text: 'This page needs JavaScript to go on. Turn it on in your browser and load the page again.',
  signOut: 'Sign Out',
  contact: 'You can also contact us: {phone}, {email}',
} as const;
