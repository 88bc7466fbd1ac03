/** What an operator reads of `porchlight init`, and in the files that it writes, beside the words of the settings. */
export const initCommand = {
  needsNames: 'The first person needs an address, a first and a last name.',
  needsPerson: '--role needs a person.',
  secrets:
    "# The secrets of this installation: one NAME=value a line; a value with spaces in 'quotes'.",
  config: '# Everything that is no secret:',
  rest: '# Further secrets, where they are needed:',
  top: '// The settings of this installation that are no secrets. A line that is off shows its default. docs/configuration.md',
  secretWritten: 'Written: {file}, the secret of this installation. Keep a copy of it.',
  settingsWritten: 'Written: {file}.',
  fillIn: 'Fill these in, then run the same command again:',
  migrated: 'The database is up to date. Applied: {count}.',
  noName: 'Subtenant {id} needs a name: --name "Your organization"',
  subtenantAdded: 'Subtenant {id} is added: {name}.',
  subtenantThere: 'Subtenant {id} is there.',
  invited: '{email} is invited as {id}, with role {roles}. The mail leaves when a server runs.',
  personThere: '{email} has an account.',
  next: 'Now: porchlight serve --settings {file}',
} as const;
