/** What an operator reads of `porchlight organisation`. */
export const organisationCommand = {
  header: ['id', 'subtenant', 'label', 'issuer', 'state'],
  none: 'No organization yet. People sign in by password, key and code.',
  isOn: 'on',
  isOff: 'off',
  added: 'Added {id}.',
  addedAlready: 'The organization {id} is there already, as the file says. Nothing was changed.',
  redirect: 'The redirect address to register over there: {redirectUri}',
  changed: 'Changed {id}. Running servers know it at once.',
  secretChanged: 'The new client secret of {id} is stored. It is encrypted, and not shown again.',
  badSecret: 'The file must hold the secret alone, in one line of letters, digits and signs.',
  badDay: 'A day is written as 2027-06-30.',
  bearer:
    'The secret token of its directory, shown this once and kept only as a hash: {bearer}. An earlier one has ended.',
  removed: 'Removed {id}. Its people sign in by password, key and code, or ask for an invitation.',
  removedAlready: 'There is no organization {id}: nothing was to be removed.',
  offered:
    '{email} is offered. The person agrees in My account, under ‘The sign-in of your work’. Then the directory may take the account.',
  noHandOver:
    '{email} cannot be handed over. It must be active, linked and proven, with roles of its organization alone.',
  noPerson: 'The account {email} is not there.',
  unreadable: 'The file {file} cannot be read: {reason}',
  notOne: 'The file {file} is not one organization. It is one JSON object, no list.',
  faults: 'The organization has faults:',
  /** What a test of the sign-in over there found. */
  faultsOfTest: {
    noAnswer: 'no answer in 5 seconds, or a fault over there',
    noPage: 'there is no such page',
    notOneTenant: 'the address is not that of one company',
    refused: 'the answer is refused',
  },
  badId: 'has 3 to 40 small letters, digits and hyphens, and starts with a letter',
  notLine: 'must be one plain line',
  ownIssuer: 'is this installation itself',
  sharedIssuer:
    'signs in people of many organizations: name the address of the one tenant, with its id in it',
  googleDomain: 'is needed for Google: without it every Google account would get in',
  noDomain: 'is no mail domain',
  publicDomain: 'gives addresses to everybody',
  noRole: 'is no role: porchlight role list',
  operatorRole: 'has operator rights in that subtenant',
  memberRole: 'can be had by a sign-up: --even-so insists',
  mappedRole: 'is not one of the roles',
  mappedRights: 'has rights at the console',
  badPhone: 'must be a number with its dial code, such as +1 555 010 0177',
  needsSecret: 'The client secret is missing: clientSecret.',
  unknown: 'There is no organization {id}.',
  taken:
    'There is an organization {id} already, and it differs. To replace it: porchlight organisation set FILE',
  fixed:
    '{id} keeps its subtenant, issuer and subject: another one is another organization. Add that, and remove {id}.',
  issuerTaken: 'The organization {id} has this issuer and subject already.',
  domainTaken: 'The mail domain {domain} belongs to the organization {id}.',
  noSubtenant: 'There is no subtenant {id}.',
} as const;
