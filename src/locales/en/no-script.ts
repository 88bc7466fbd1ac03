/** Where a page waits for something that only a script can do. */
export const noScript = {
  text: 'This page needs JavaScript to go on. Turn it on in your browser and load the page again.',
  signOut:
    'Without JavaScript you are still signed in. Close this browser if you share this computer.',
  contact: 'You can also contact us: {phone}, {email}',
} as const;
