/** The factors of a sign-in (RFC 8176), as `amr` has them. */

/** The answer of an organisation that signs its own people in. */
export const FED_AMR: readonly string[] = ['fed'];

/**
 * Returns whether a sign-in showed something of the person's own: a password or a key. An organisation's answer shows what
 * the organisation knows, and a code after it what reaches a mailbox that is often the organisation's, too.
 */
export const isOwnProof = (amr: readonly string[]): boolean =>
  amr.includes('pwd') || amr.includes('pop');
