import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Data } from '#contract/index.ts';

/**
 * Does the work of a challenge. The browser derives its keys on threads of its own, so the page stays usable
 * without a worker of ours, which Trusted Types would not let in (decision 030).
 */
export function solve(challenge: Data<'getChallenge'>) {
  return solveChallenge({ challenge, deriveKey });
}
