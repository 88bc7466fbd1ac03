/** What the flow itself tells, whatever the screen. */
export const flow = {
  over: 'That step is over. Please start again here; your email is kept.',
} as const;
