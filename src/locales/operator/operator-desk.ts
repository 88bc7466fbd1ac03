/** The words of the operators' pages of the console. A fault that the command line tells has its words there. */
export const deskTexts = {
  show: 'Show',
  count: '{count} in the list.',
  countOne: '1 in the list.',
  csv: 'Download as a file (CSV)',
  csvChanges: 'You get a file with the list. It names people: keep it where only you can read it.',
  backTo: 'Back to {list}',
  changesTitle: 'What changes',
  written: 'We write down your name, the time and what you did.',
} as const;

export const promoCodesDesk = {
  title: 'Promo codes',
  lead: 'A person who types one of these gets a longer trial.',
  empty: 'There is no promo code.',
  columns: ['Code', 'State', 'Good until', 'Most uses', 'Used'],
  isGood: 'Good',
  isOver: 'Over',
  isUsedUp: 'Used up',
  change: 'Change',
  end: 'End',
  save: 'Save',
  code: 'Code',
  codeHint: '4 to 32 letters, digits and hyphens.',
  until: 'Good until',
  untilHint: 'The code is good on this day, too. Empty: it has no end.',
  uses: 'Most uses',
  usesHint: 'Empty: any number.',
  addTitle: 'Add a promo code',
  addChanges: 'People can use the code at once.',
  setTitle: 'Change {code}',
  setChanges: 'The new end and the new number count at once. Uses so far stay counted.',
  endTitle: 'End {code}',
  endChanges: 'People cannot use {code} any more. Trials that began with it go on.',
  done: { add: 'The code is added.', set: 'The code is changed.', end: 'The code has ended.' },
} as const;

export const leadsDesk = {
  title: 'Leads',
  lead: 'People who asked for a call. They wait here, because this service has no CRM.',
  leadWithCrm:
    'People who asked for a call while there was no CRM. New ones go to the CRM at once.',
  empty: 'No leads are kept here.',
  columns: ['Name', 'Email', 'Phone', 'Received'],
  all: 'all leads',
  resend: 'Send all to the CRM',
  resendChanges: 'Each lead goes to the CRM and leaves this list.',
  purge: 'Delete',
  purgeAll: 'Delete all',
  purgeTitle: 'Delete {name}',
  purgeChanges: 'The lead goes for good. Download the list first if you need it.',
  done: { purge: 'Deleted.', resend: 'They are on their way.' },
} as const;

export const surveyDesk = {
  title: 'Survey',
  lead: 'The sign-up asks: "How did you hear about us?" These are the answers.',
  empty: 'There is no such answer.',
  columns: ['Person', 'Email', 'Subtenant', 'Answer', 'Own words', 'When'],
  answer: 'Answer',
  every: 'Every answer',
  ownWords: 'Other',
} as const;

export const limitsDesk = {
  title: 'Limits',
  lead: 'How often each thing may be tried. PORCHLIGHT_LIMITS sets the numbers.',
  empty: 'There is no such limit.',
  columns: ['Name', 'Most', 'Minutes', 'Counted now', 'Full now', 'Refused in a day'],
  name: 'Name',
  clear: 'Begin anew',
  clearTitle: 'Let {name} begin anew',
  clearChanges: 'All its counts are forgotten, for everybody. People who wait can try at once.',
  done: { clear: 'The limit began anew.' },
} as const;

export const keysDesk = {
  title: 'Keys',
  lead: 'The keys that sign for this service. New ones come by themselves, in time.',
  columns: ['Key', 'Use', 'Generation', 'State', 'Secret'],
  present: 'the present one',
  use: 'For which use?',
  every: 'All uses',
  hurry: 'A key was stolen: be quick',
  hurryHint:
    'The new keys sign in two minutes. Else they sign in a day, when every app knows them.',
  rotateTitle: 'Put new keys in place',
  rotateChanges: [
    'The next keys are published. They sign later, by themselves. Nobody is signed out.',
    'A stolen key still counts until you retire it. Do that when the new one signs.',
  ],
  retire: 'Retire',
  retireTitle: 'Retire the key {kid}',
  retireChanges:
    'What this key ({use}) signed is refused within half a minute. It cannot come back.',
  done: { rotate: 'The next keys are published.', retire: 'The key is gone.' },
} as const;

export const modulesDesk = {
  title: 'Modules',
  lead: 'The apps behind the door. The settings name them: porchlight module.',
  empty: 'No module is set up.',
  columns: ['Module', 'Address', 'Told of sign-outs at', 'Accepts', 'Password'],
  check: 'Check',
  checkTitle: 'Check {id}',
  checkLead:
    'Its developer runs the whole check on a machine of their own: porchlight module check.',
  checkChanges:
    'Nothing changes. We ask whether the app answers, and whether it takes sign-out calls.',
} as const;

export const clientsDesk = {
  title: 'Clients',
  lead: 'Applications that sign people in here. Those of PORCHLIGHT_CLIENTS_FILE are not in this list.',
  empty: 'There is no such client.',
  columns: ['Name', 'Id', 'Kind', 'Proves itself by'],
  search: 'Name or id',
  change: 'Change',
  rotate: 'New secret',
  remove: 'Remove',
  save: 'Save',
  id: 'Id',
  idHint: '3 to 100 letters, digits, dots, hyphens and underscores. It stays as it is.',
  name: 'Name',
  nameHint: 'People read it when they sign in.',
  redirectUris: 'Where people come back after they sign in',
  urisHint: 'One address a line, letter by letter as the application sends it.',
  postLogout: 'Where people come back after they sign out',
  method: 'How does it prove itself?',
  methods: {
    none: 'Not at all: an app in a browser or on a phone',
    client_secret_basic: 'With a secret, in the header',
    client_secret_post: 'With a secret, in the form',
  },
  firstParty: 'It is an application of our own',
  firstPartyHint: 'People are not asked whether it may see their name and email.',
  addTitle: 'Add a client',
  addLead: 'All other settings have their usual values. Change them afterwards.',
  addChanges: [
    'People can sign in to the application at once.',
    'If it has a secret, you see the secret once. Copy it then.',
  ],
  secretOnce: 'Copy its secret now. It is kept only as a hash, and shown this once:',
  setTitle: 'Change {id}',
  setLead: 'The definition as in the file of porchlight client set.',
  setChanges: ['Running servers know it at once. The secret stays as it is.'],
  definition: 'Definition',
  definitionHint: 'JSON. The reference: docs/clients.md.',
  noJson: 'This is not one JSON object.',
  rotateTitle: 'New secret for {id}',
  rotateChanges: [
    'The secret of now ends at once: the application fails until it has the new one.',
    'You see the new secret once.',
  ],
  removeTitle: 'Remove {id}',
  removeChanges: ['Nobody can sign in to it any more. Running servers refuse it at once.'],
  done: {
    add: 'The client is there.',
    set: 'The client is changed.',
    remove: 'The client is removed.',
  },
} as const;
