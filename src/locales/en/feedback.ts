/** What the side banner says (GEN-09: the title never changes, the line under it does). */
export const feedback = {
  first: 'Bigger text, clearer buttons and one door to everything you use.',
  firstName: 'Our design team',
  second: 'I signed in on my own. The letters are big enough, and nobody rushed me.',
  secondName: 'Ruth, 81',
  third: 'The code came by text and by mail. I typed it in and the door was open.',
  thirdName: 'Samuel, 77',
} as const;
