/** What an operator reads of `porchlight migrate`. */
export const migrateCommand = {
  applied: 'Applied: {name}',
  waits: 'Waits: {name}',
  state: 'Applied: {applied}. Waiting: {pending}.',
  current: 'The database is up to date.',
} as const;
