/** What an operator reads of `porchlight support`. */
export const supportCommand = {
  header: ['when', 'what', 'outcome', 'reason', 'request', 'details'],
  nothing: 'Nothing is known of {word}.',
  account: 'Account {id}: {status}. Roles: {roles}. Mail: {ofMail}. Phone: {ofPhone}.',
  keys: 'Saved keys: {names}.',
  helpers: 'Trusted helpers: {names}.',
  proven: 'proven',
  unproven: 'not proven',
  noRoles: 'none',
  noEvents: 'Nothing has happened with this account yet.',
} as const;
