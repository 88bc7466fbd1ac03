/** Saved keys: the words of every page about them. */
export const passkeys = {
  save: 'Save a key here',
  saving: 'Waiting for your device …',
  saved: 'Saved. Next time press your key.',
  stillWorks: 'Your password and your code still work.',
  sharedTitle: 'Do other people use this device?',
} as const;
