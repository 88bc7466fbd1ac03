/**
 * What an act on a person did, decided in its transaction; its mail, event, count and sentence follow from it. `waits`: a
 * proof, a colleague or time makes it take effect. `already`: another request did it first, or there was nothing to do.
 * A refusal is thrown, which takes the transaction back.
 */
export const OUTCOMES = ['done', 'waits', 'already'] as const;
export type Outcome = (typeof OUTCOMES)[number];
