/** Help for browsers that hide the session (GEN-10); the steps by number of the variant. */
export const privacy = {
  title: 'Your browser is blocking sign-in',
  why: 'What you typed was right, but your browser hides your sign-in from this page.',
  after: 'You can turn it back on afterwards.',
  hide: 'Hide',
  steps: {
    1: [
      'Open the Safari menu and choose Settings.',
      'Choose Privacy.',
      'Clear the box "Prevent cross-site tracking".',
      'Come back here and press Try again.',
    ],
    2: [
      'Click the icon to the left of the address.',
      'Choose Cookies.',
      'Allow cookies for this site.',
      'Press Try again.',
    ],
    3: [
      'Open the Settings app and choose Apps, then Safari.',
      'Turn off "Prevent Cross-Site Tracking".',
      'Come back here and press Try again.',
    ],
    4: [
      'Open the settings of your browser and look for Privacy or Cookies.',
      'Allow cookies for this site, or try Chrome, Edge, Firefox or Safari.',
      'Come back here and press Try again.',
    ],
  },
} as const;
