/** The switcher (ROL-01) and one plain line about each role. */
export const roles = {
  title: 'Accounts switcher',
  legend: 'Choose how you want to continue',
  submit: 'Continue',
  pending: 'Opening…',
  signInOnApp: 'Sign-In On App',
  signInOnAppLine: 'Use the member app with your staff login',
  none: 'No account is ready for you yet.',
  signOut: 'Sign out',
  lineMember: 'Your own plans, forms and visits',
  lineStaff: 'Care staff tools and payments',
  lineAdmin: 'People, settings and reports',
  lineCounter: 'Check guests in and count events',
  linePartner: 'Your clients and your team',
  lineSpecial: 'Programs run on their own site',
} as const;
