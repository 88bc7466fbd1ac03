/** What an operator reads of `porchlight organisation`. */
export const organisationCommand = {
  faults: 'The organization has faults:',
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
