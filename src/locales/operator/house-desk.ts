/** The pages that a house has for itself. */
export const houseDesk = {
  title: 'Your house',
  backToHouse: 'Back to your house',
  look: 'How your house looks',
  putBack: 'Put it back',
  putBackChanges:
    'Your house looks as it did before the last change. You can change your mind again.',
  nothingKept: 'There is no earlier look any more. Each one is kept for 30 days.',
  done: {
    look: 'Your house looks so from now on.',
    logo: 'The logo is changed. The operators are told.',
    back: 'Your house looks as it did before.',
    ask: 'The operators have your words.',
  },
  notYourLogo: 'This logo is not one of your house. Upload your own, or take one of the product.',
  logoNote: {
    subject: '{name} has a new logo',
    line: '{who} changed the logo. First the earlier one, then the new one:',
  },
  fileNote: {
    subject: 'A list of your house was downloaded',
    line: '{who} downloaded the list {list}. It has {count} rows that name people.',
  },
  declinedNote: {
    subject: 'An invitation was declined: the sender is not known',
    line: 'The invited person does not know {who} of {house}. The invitation is over. Look at what this sender did: {page}',
  },
  home: {
    asOperator: 'You look at this house as its administrator does. It is written down.',
    look: 'Look',
    color: 'Color',
    logo: 'Logo',
    language: 'Language',
    changeLook: 'Change color, logo or language',
    people: 'People',
    accounts: 'Accounts that are on',
    off: 'Switched off',
    staff: 'Staff',
    administrators: 'Administrators',
    roles: 'Roles that you can give',
    noRoles: 'The operator has named no roles for your house yet. To ask, call {phone}',
    none: 'None',
    organisation: 'Your organization’s sign-in',
    provider: 'Sign-in of your own',
    noOwn: 'None. Your staff use email and code.',
    kept: 'What the operator keeps',
    keptLead: 'Name, sender, help phone, administrators and apps are changed by the operator.',
    name: 'Name of your house',
    phone: 'Call the operator',
  },
  ask: {
    title: 'Ask the operator to change this',
    note: 'What should change?',
    changes: ['The operators get your words by email. They may call you back.'],
    submit: 'Send it',
    subject: '{who} of {name} asks for a change',
    length: 'Write 2 to 1000 letters.',
    tooOften: 'Your house has asked within this hour. Wait, or call the operator.',
  },
} as const;

/** Invitations that wait for an answer. */
export const invitationsDesk = {
  list: {
    title: 'Invitations',
    lead: 'Each waits 7 days for an answer. No account exists before. An address that has an account somewhere gets a mail that says so, and you see no difference.',
    empty: 'No invitation waits for an answer.',
    columns: ['Name', 'Email', 'Role', 'Sent by', 'Good until'],
    done: {
      invite: 'The invitation is on its way.',
      resend: 'The invitation is on its way again.',
      withdraw: 'The invitation is taken back. Its link no longer works.',
    },
  },
  invite: 'Invite somebody',
  resend: 'Send again',
  resendTitle: 'Send the invitation of {name} again',
  resendChanges: 'A new mail with a new link, good for 7 days. The earlier link ends.',
  withdraw: 'Take back',
  withdrawTitle: 'Take the invitation of {name} back',
  withdrawChanges: 'Its link no longer works. No mail is sent.',
} as const;
