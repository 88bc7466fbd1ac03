/** Where no script runs a page stands still. The server alone draws these texts: no browser's bundle has them. */
export const stillPage = {
  off: 'Off',
  on: 'On',
  clears: 'Choosing one loads the page again. Then type again what you typed here.',
  stands: 'This is how it was when the page opened.',
  checkAgain: 'Check again',
  momentAgo: 'a moment ago',
} as const;
