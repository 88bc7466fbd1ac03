/** The demo's third party, an app of another organisation. Its name, Garden Club, is no text. */
export const gardenClub = {
  lead: 'Seeds, soil and good company. We meet behind the old glass house, in all weathers.',
  refused: 'You are not signed in. We learned nothing about you.',
  signIn: 'Sign in with Porchlight',
  asks: 'Porchlight asks you before it tells us who you are. We never see your password.',
  welcome: 'Welcome, {name}',
  bed: 'Bed 14 is yours, by the pear tree. The beans are up.',
  letter: 'Our Monday letter comes to {email}',
  signOut: 'Sign out',
  developers: 'For developers',
  thisWeek: 'This week',
  news: [
    [
      'Saturday, 10 am',
      'Seed swap',
      'In the glass house. Bring what you have, take what you like.',
    ],
    ['Sunday, 2 pm', 'Walk among the roses', 'Ida shows how to cut them back. Bring your gloves.'],
    [
      'All week',
      'Plant your garlic',
      'Push each clove two inches deep, the tip up, before the frost.',
    ],
  ],
} as const;
