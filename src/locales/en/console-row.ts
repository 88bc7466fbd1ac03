/** The row of My account for the console, which staff alone have. */
export const consoleRow = {
  label: 'Console',
  value: 'Your work with the people of your house',
} as const;
