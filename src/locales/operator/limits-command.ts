/** What an operator reads of `porchlight limits`. */
export const limitsCommand = {
  header: ['name', 'most', 'minutes', 'counted now', 'full now', 'refused in a day'],
  unknown: 'There is no limit {name}. {guess}docs/limits.md has their names.',
  guess: 'Did you mean {name}?',
  cleared: '{name} begins anew. Counts forgotten: {count}.',
} as const;
