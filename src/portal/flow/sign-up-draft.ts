import type { SignUpData } from '#domain/flow/state.ts';
import type { VisitState } from '#domain/visit.ts';
import { signUpDataIn } from './history-state.ts';

let kept: SignUpData | null = null;

/** Keeps what was typed at sign-up while its code is waited for; never a password. `null` forgets it. */
export function keepDraft(data: SignUpData | null): void {
  kept = data;
}

/**
 * What was typed at sign-up, for the form that somebody comes back to: from this page's memory, or from the entry in the
 * history while the server still waits for that sign-up's code.
 */
export function draftFor({ code, activated }: VisitState, subtenantId: number): SignUpData | null {
  if (activated !== null) return null;
  if (kept) return kept;
  return code?.mode === 'signUp' ? signUpDataIn(history.state, subtenantId) : null;
}
