/** What the flow itself tells, whatever the screen. */
export const flow = {
  over: 'That page is no longer open. Please start again. Your email is still here.',
} as const;
