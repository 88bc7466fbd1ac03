/** Where no script runs a page stands still. The server alone draws these texts: no browser's bundle has them. */
export const stillPage = {
  off: 'Off',
  on: 'On',
  clears: 'A press on a choice opens this page anew: what you typed here has to be typed again.',
  stands: 'This is how it was when the page opened.',
  checkAgain: 'Check again',
  momentAgo: 'a moment ago',
} as const;
