/** The letters of the help card that show the help desk a page. */
export const pageCode = {
  tell: 'Tell the person who helps you:',
  getCode: 'Get a code for my page',
  showsPage: 'It shows them your page. It holds no secret.',
  codeAway: 'There is no code now. Say what you see on the page.',
} as const;
