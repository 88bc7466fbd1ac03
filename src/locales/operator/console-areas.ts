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
  list: {
    title: 'Promo codes',
    lead: 'Only the academy asks for a promo code. A person who types one of these there gets a longer trial. In other houses a code does nothing.',
    empty: 'There is no promo code.',
    columns: ['Code', 'State', 'Good until', 'Most uses', 'Used'],
    done: { add: 'The code is added.', set: 'The code is changed.', end: 'The code has ended.' },
  },
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
} as const;

export const leadsDesk = {
  list: {
    title: 'Leads',
    lead: 'People who asked for a call. They wait here, because this service has no CRM.',
    empty: 'No leads are kept here.',
    columns: ['Name', 'Email', 'Phone', 'Received'],
    done: { purge: 'Deleted.', resend: 'They are on their way.' },
  },
  leadWithCrm:
    'People who asked for a call while there was no CRM. New ones go to the CRM at once.',
  all: 'all leads',
  resend: 'Send all to the CRM',
  resendChanges: 'Each lead goes to the CRM and leaves this list.',
  purge: 'Delete',
  purgeAll: 'Delete all',
  purgeTitle: 'Delete {name}',
  purgeChanges: 'The lead goes for good. Download the list first if you need it.',
} as const;

export const surveyDesk = {
  list: {
    title: 'Survey',
    lead: 'The sign-up asks: "How did you hear about us?" These are the answers.',
    empty: 'There is no such answer.',
    columns: ['Person', 'Email', 'Subtenant', 'Answer', 'Own words', 'When'],
  },
  answer: 'Answer',
  every: 'Every answer',
  ownWords: 'Other',
} as const;

export const limitsDesk = {
  list: {
    title: 'Limits',
    lead: 'How often each thing may be tried. PORCHLIGHT_LIMITS sets the numbers.',
    empty: 'There is no such limit.',
    columns: ['Limit', 'Full now', 'Refused in a day', 'Counted now', 'Most', 'In'],
    done: { clear: 'The limit started again.' },
  },
  nobody: 'Nobody is held back. PORCHLIGHT_LIMITS sets the numbers.',
  name: 'Name',
  clear: 'Start again',
  clearTitle: 'Let {name} start again',
  clearChanges: 'All its counts are forgotten, for everybody. People who wait can try at once.',
} as const;

export const devicesDesk = {
  list: {
    title: 'Shared devices',
    lead: 'Counters and tablets that many people use, one after another. They keep nothing of anybody.',
    empty: 'No browser is a shared device.',
    columns: ['Name', 'Organization', 'Switched on by', 'Since', 'Last used', 'State'],
    done: { end: 'Counter mode has ended.' },
  },
  name: 'Name',
  add: 'Make this browser a shared device',
  inUse: 'In use',
  free: 'Ready',
  end: 'End',
  endTitle: 'End counter mode of {name}',
  endChanges: 'A person who uses it now is signed out. From then on it is an ordinary browser.',
} as const;

export const keysDesk = {
  list: {
    title: 'Keys',
    lead: 'The keys that sign for this service. New ones come by themselves, in time.',
    columns: ['Key', 'Use', 'Generation', 'State', 'Secret'],
    done: { rotate: 'The next keys are published.', retire: 'The key is gone.' },
  },
  present: 'the present one',
  use: 'For which use?',
  every: 'All uses',
  hurry: 'A key was stolen: be quick',
  hurryHint:
    'The new keys sign in two minutes. Else they sign in a day, when every app knows them.',
  rotateTitle: 'Put new keys in place',
  rotateChanges: [
    'The next keys are published. They sign later, by themselves. Nobody is signed out.',
    'A stolen key still works until you retire it. Do that when the new one signs.',
  ],
  retire: 'Retire',
  retireTitle: 'Retire the key {kid}',
  retireChanges:
    'What this key ({use}) signed is refused within half a minute. It cannot come back.',
} as const;

export const modulesDesk = {
  list: {
    title: 'Modules',
    lead: 'The apps behind the door. The settings name them: porchlight module.',
    empty: 'No module is set up.',
    columns: ['Module', 'Address', 'Told of sign-outs at', 'Accepts', 'Password'],
  },
  check: 'Check',
  checkTitle: 'Check {id}',
  checkLead:
    'Its developer runs the whole check on a machine of their own: porchlight module check.',
  checkChanges:
    'Nothing changes. We ask whether the app answers, and whether it takes sign-out calls.',
} as const;

export const clientsDesk = {
  list: {
    title: 'Clients',
    lead: 'Applications that sign people in here. Those of PORCHLIGHT_CLIENTS_FILE are not in this list.',
    empty: 'There is no such client.',
    columns: ['Name', 'Id', 'Kind', 'Proves itself by'],
    done: {
      add: 'The client is there.',
      set: 'The client is changed.',
      remove: 'The client is removed.',
    },
  },
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
} as const;

export const subtenantsDesk = {
  list: {
    title: 'Subtenants',
    lead: 'The houses that people sign up with.',
    empty: 'There is no subtenant.',
    columns: ['Name', 'Id', 'Color', 'Language', 'State'],
    done: {
      add: 'The subtenant is there.',
      look: 'Saved. Everyone sees it within some seconds.',
      logo: 'The logo is saved. Everyone sees it within some seconds.',
      open: 'The subtenant is open.',
      close: 'The subtenant is closed.',
    },
  },
  search: 'Name or id',
  isOpen: 'Open',
  isClosed: 'Closed',
  own: 'The usual one',
  change: 'Change the look',
  logo: 'New logo',
  links: 'Links',
  linksLead: 'Give these links to the people of the house. Its language: {language}.',
  signUpLink: 'To sign up',
  signInLink: 'To sign in',
  tryIt: 'Try it',
  qr: 'Picture code of the link: {label}',
  logoPlates: 'The logo on light and on dark',
  onLight: 'The logo on light',
  onDark: 'The logo on dark',
  open: 'Open',
  close: 'Close',
  id: 'Id',
  idHint: 'A whole number. Links name it, and it stays as it is.',
  name: 'Name on the page',
  logoLabel: 'Logo',
  logoTitle: 'New logo for {name}',
  file: 'The file',
  fileHint:
    'SVG, PNG or JPEG, 1 megabyte at most. It stands 40 high. Mails show a PNG or a JPEG; for an SVG they show the name.',
  fileMissing: 'Choose a file.',
  color: 'Color of the house',
  colorHint: '# and six digits from 0 to F, such as #1F5FA8. Empty: the usual color.',
  given: 'Or see it in one of these colors',
  givenColors: {
    '#1F4E8C': 'Blue',
    '#0B5A5F': 'Teal',
    '#1E5B2E': 'Green',
    '#6A2C70': 'Plum',
    '#8A1C3C': 'Berry',
    '#8A3B12': 'Rust',
    '#37474F': 'Slate',
  },
  language: 'Language of its people',
  show: 'Show it',
  save: 'Save for everyone',
  undo: 'Undo',
  lookChanges: 'All pages and mails of this house have the new look within some seconds.',
  addTitle: 'Add a subtenant',
  addChanges: 'People can sign up there at once, with a link that names its id.',
  openTitle: 'Open {name}',
  openChanges: 'People can sign up there again.',
  closeTitle: 'Close {name}',
  closeChanges:
    'Nobody signs up there, and its pages look like the usual ones. Its people keep their accounts.',
  readable: 'Can people read it?',
  darkerTitle: 'We change the shade, so that people can read it',
  darker:
    'White words on your color: {ratio}. That is too weak. We need 7 to 1. The button gets {color}, the same color, deeper.',
  fits: 'The color fits as it is.',
  ratio: '{ratio} to 1',
  uses: {
    button: 'Words on the button',
    link: 'Links on the page',
    chosen: 'A row that is chosen',
    porch: 'Words under the porch',
    darkButton: 'The button, dark colors',
  },
  shown: 'What people will see',
  shownNote: 'Nobody else sees it before you save. Errors stay red, and the lamp stays amber.',
  frames: {
    wide: 'The sign-in page on a wide screen',
    phone: 'The sign-in page on a phone',
    dark: 'The sign-in page on a phone, in dark colors',
    mail: 'The mail with a code',
  },
} as const;
