import { wantsStillness } from '../ui/preferences.ts';

/**
 * Changes the page, and lets the porch go over into the next one (decision 081). Visitors who want stillness, and browsers
 * that cannot, change at once. @returns when the page has changed; the picture may move on after that.
 */
export function carryOver(change: () => void): void | Promise<void> {
  if (!('startViewTransition' in document) || wantsStillness()) return change();
  // Asynchronous, for React draws at the end of this task: the new picture is taken after that.
  const transition = document.startViewTransition(async () => change());
  // In a hidden tab, or for the next transition, this one is given up; the page has changed all the same.
  transition.ready.catch(() => undefined);
  return transition.updateCallbackDone;
}
