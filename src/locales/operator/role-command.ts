/** Texts of `porchlight role`. */
export const roleCommand = {
  header: ['role', 'name', 'family', 'leads to', 'entrance'],
  nowhere: '-',
  staff: 'staff',
  badSubtenant: '{id} is no subtenant: a subtenant is a whole number from 1.',
  module: 'To the module {module} ({page}), with role {role}.',
  selectRole: 'To the account switcher, with these entries:',
  role: 'role {role}',
  signInOnApp: 'Sign-In On App, with role {role}',
  notStaff: 'Stays on the staff entrance: no staff role.',
  unauthorized: 'To the page that says there is no access: no role is left.',
  rule: 'By {rule} of docs/requirements.md.',
} as const;
