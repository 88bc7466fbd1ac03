/** What is wrong with the form that names a helper. */
export const helperProblems = {
  relationRequired: 'Please say what they are to you',
  relationInvalid: 'Please use a few words, such as: my daughter',
  helperIsYou: 'This is your own address. Please type that of your helper',
  helperIsThere: 'You have asked this person already',
  helpersFull: 'You have 3 helpers. Please end one first',
} as const;

export type HelperProblem = keyof typeof helperProblems;
