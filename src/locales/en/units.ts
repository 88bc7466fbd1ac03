/** Lengths of time, in each plural form of the language. */
export const units = {
  second: { one: '{count} second', other: '{count} seconds' },
  minute: { one: '{count} minute', other: '{count} minutes' },
  hour: { one: '{count} hour', other: '{count} hours' },
  day: { one: '{count} day', other: '{count} days' },
} as const;
