/** The page of My account that links the sign-in of an organization. */
export const myOrganisation = {
  title: 'The sign-in of your work',
  lead: 'Sign in here the way you do at work.',
  stepUp: 'To link or unlink it, first show us that it is you. It takes one code.',
  goThere: 'Go to {label}’s sign-in',
  comeBack: 'You sign in there, come back, and say yes. Nothing is linked before that.',
  ask: 'You are {there} over there, and {here} here. Link the two?',
  yes: 'Yes, link them',
  no: 'That is not me',
  linkedAs: 'Linked as {name}',
  stays: 'Your password and your code still work.',
  unlink: 'Unlink it',
  handOver: {
    asked:
      '{label} would like to keep your account. Then you sign in only there. Your password and keys go.',
    agreed: 'You said yes. {label} will soon keep your account.',
  },
  agree: 'Yes, {label} may keep it',
  kept: '{label} keeps this link. To end it, ask them.',
} as const;
