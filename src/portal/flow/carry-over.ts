import { wantsStillness } from '../ui/preferences.ts';

/**
 * Changes the page with a view transition of the porch (decision 081). With reduced motion, and without support, it
 * changes at once.
 * @returns resolves when the page has changed; the transition may still run
 */
export function carryOver(change: () => void): void | Promise<void> {
  if (!('startViewTransition' in document) || wantsStillness()) return change();
  // Asynchronous, because React renders at the end of this task: the new snapshot is taken after that.
  const transition = document.startViewTransition(async () => change());
  // In a hidden tab, or for the next transition, this one is skipped; the page has still changed.
  transition.ready.catch(() => undefined);
  return transition.updateCallbackDone;
}
