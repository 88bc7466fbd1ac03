/** The sign-in of an organization: its button, and the page when it lets nobody in. */
export const organisation = {
  back: 'Back to Sign In',
  titles: {
    unlinked: 'We do not know you here yet',
    elsewhere: 'This way does not open your account',
    suspended: 'Your account is switched off',
    down: '{label}’s sign-\u2060in does not answer',
    refused: '{label}’s sign-\u2060in said no',
  },
  leads: {
    unlinked: '{label}’s sign-in let you in. But no account here is linked to it.',
    elsewhere: '{label}’s sign-in let you in. But your account here has other roles, too.',
    suspended: 'Nothing is lost. Please ask why, and who can switch it on again.',
    down: 'You did nothing wrong. It may work again soon.',
    refused: 'You did nothing wrong. Please try it once more.',
  },
  cameAs: 'You came as',
  safe: 'Your account is safe, and nothing is lost.',
  ask: 'Ask {name}',
  askUs: 'Call us',
  askText: {
    unlinked: 'They can help you link your account. It takes two minutes.',
    elsewhere: 'They can tell you which way is yours.',
    suspended: 'They know what to do.',
    refused: 'They can see what is wrong.',
  },
  call: 'Call {phone}',
  password: 'I have a password here',
  passwordText: 'Sign in with it, and you can link it yourself.',
  byPassword: 'Sign in with my password',
  again: 'Try again',
  noPassword: 'No password here? Wait a little, or call us.',
  panel: {
    known: {
      title: 'The door is not locked for you.',
      text: 'It just does not know your name yet.',
    },
    down: {
      title: 'That door is stuck. This one opens.',
      text: 'Your password and your code work as ever.',
    },
  },
} as const;
