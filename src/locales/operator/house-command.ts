/** What an operator reads of `porchlight house`. */
export const houseCommand = {
  header: ['id', 'subtenant', 'email', 'name', 'state', 'since'],
  none: 'No house has an administrator yet.',
  added: '{id} is an administrator of {subtenantId}.',
  addedAlready: '{id} is an administrator of {subtenantId} already. Nothing was changed.',
  removed: '{id} is no administrator any more.',
  removedAlready: '{id} is no administrator. Nothing was changed.',
  roles: 'The administrators of {id} give these roles: {roles}',
  noRoles: 'The administrators of {id} give no role yet.',
  badAct: 'The first word is add, remove or list.',
  noPerson: 'Name the person by email or id.',
  notActive: 'The account {id} is not active, or it closes.',
  isOperator: 'The account {id} is an operator already.',
  refusedRoles: 'Administrators never give these roles: {roles}. 1, 9 and 18 need no list.',
  listedOperators:
    'These roles have operator rights by the settings, and administrators of a house give them: {roles}. Take them from the list first, by porchlight house roles ID --set, or from the settings.',
  invitationsHeader: ['id', 'subtenant', 'email', 'role', 'sent by', 'until'],
  noInvitations: 'No invitation waits for an answer.',
  noInvitation: 'No invitation {id} waits for an answer.',
  withdrawn: 'The invitation {id} is taken back.',
  unknown: 'There is no subtenant {id}.',
} as const;
