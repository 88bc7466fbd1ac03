/** What an operator reads of `porchlight explain`. */
export const explainCommand = {
  module: 'To the module {module} ({page}), with role {role}.',
  selectRole: 'To the account switcher, with these entries:',
  role: 'role {role}',
  signInOnApp: 'Sign-In On App, with role {role}',
  notStaff: 'Stays on the staff entrance: no staff role.',
  unauthorized: 'To the page that says there is no access: no role is left.',
  rule: 'By {rule} of docs/requirements.md.',
} as const;
