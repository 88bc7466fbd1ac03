/** What an operator reads of `porchlight user`. */
export const userCommand = {
  unknown: 'There is no account {word}.',
  taken: 'There is an account of {email} already: porchlight user show {email}',
  badEmail: '{email} is no email address.',
  badName: 'A first and a last name are needed, each with a letter in it.',
  badPhone: 'A phone number begins with + and its dial code, such as +12125550142.',
  badRole: '{role} is no role. There are: {roles}',
  noSubtenant: 'There is no open subtenant {id}: porchlight tenant list',
  added: '{email} is added as {id}. To set a password: {url}, with this address.',
  invited:
    '{email} is invited as {id}. The mail leaves when a server runs; its link works for 3 days.',
  notInvited: 'The account {id} is {status}, or has a password: nothing was sent.',
  listed: '{id}, {email}, {name}, {status}, {subtenantId}, {roles}',
  listHeader: 'id, address, name, status, subtenant, roles',
  unlocked: 'The account {id} counts anew. Counts forgotten: {count}.',
  rolesChanged: 'The roles of {id} are changed.',
  suspended: 'The account {id} is switched off, and signed out everywhere.',
  resumed: 'The account {id} is switched on.',
  notSwitched: 'Nothing was done: the account {id} is {status}.',
  confirm:
    'Nothing was done. This deletes the account {id} and everything that is kept about its person, for good. Say so with --yes.',
  erased: 'The account {id} is erased.',
  row: '{table}: {count}',
  atTenant: 'Its user at the Auth0 tenant is still there: {hostedUserId}',
  linked: 'It was linked to these accounts, which are still there: {ids}',
} as const;
