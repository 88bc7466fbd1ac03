import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Data } from '#contract/index.ts';

/**
 * Solves a challenge. The browser derives keys on threads of its own, so the page stays usable without a worker, which
 * Trusted Types would block (decision 030).
 */
export function solve(challenge: Data<'getChallenge'>) {
  return solveChallenge({ challenge, deriveKey });
}
