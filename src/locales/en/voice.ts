/** What a call says. Each line is said by itself, with a pause after it. */
export const voice = {
  hello: 'Hello. This is {name}. You asked us to call you with your code.',
  ask: 'To hear your code, press 1.',
  notYou: 'If you did not ask for this call, please hang up.',
  code: 'Your code is:',
  again: 'Once more:',
  warning: 'Nobody from us will ask you for this code.',
  over: 'This code no longer works. Please ask for a new one.',
  goodbye: 'Goodbye.',
} as const;
