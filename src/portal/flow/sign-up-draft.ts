import type { SignUpData } from '#domain/flow/terms.ts';
import type { VisitState } from '#domain/flow/visit.ts';
import { signUpDataIn } from './history-state.ts';

let kept: SignUpData | null = null;

/** Keeps the input of a sign-up while it waits for its code; never a password. `null` deletes it. */
export function keepDraft(data: SignUpData | null): void {
  kept = data;
}

/**
 * Returns the input of a sign-up for a return to its form: from this page's memory, or from the history entry while the
 * server still waits for that sign-up's code.
 */
export function signUpDraft(
  { code, activated }: VisitState,
  subtenantId: number,
): SignUpData | null {
  if (activated !== null) return null;
  if (kept) return kept;
  return code?.mode === 'signUp' ? signUpDataIn(history.state, subtenantId) : null;
}
