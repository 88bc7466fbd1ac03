/** What an operator reads of `porchlight client`. */
export const clientCommand = {
  header: ['id', 'name', 'kind', 'auth'],
  firstParty: 'first-party',
  thirdParty: 'third-party',
  none: 'No client was added yet. Those of PORCHLIGHT_CLIENTS_FILE are not listed here.',
  notOne:
    'The file {file} is not one client. A client is one JSON object, no list, and one file for each.',
  unreadable: 'The file {file} cannot be read: {reason}',
  faults: 'The client has faults:',
  taken:
    'There is a client {id} already, and it differs from the file. To replace it: porchlight client set FILE',
  addedAlready: 'The client {id} is there already, as the file says. Nothing was changed.',
  removedAlready: 'There is no client {id}: nothing was to be removed.',
  unknown: 'There is no client {id}.',
  noSecret: 'There is no client {id} with a secret.',
  added: 'Added {id}. Running servers know it at once.',
  changed: 'Changed {id}. Running servers know it at once.',
  removed: 'Removed {id}. Running servers refuse it at once.',
  secret: 'Its secret, shown this once and kept only as a hash: {secret}',
} as const;
