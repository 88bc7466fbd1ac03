/** What an operator reads of `porchlight support`. */
export const supportCommand = {
  nothing: 'Nothing is known of {word}.',
} as const;
