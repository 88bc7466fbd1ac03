import { announce } from './live-region.tsx';
import { type Toast, toastStore } from './toast.ts';

/** Milliseconds (GEN-13): an error and a warning 4 s, a success 2 s, a note of the help area 3 s. */
export const TOAST_MS: Readonly<Record<Toast['tone'], number>> = {
  danger: 4000,
  warning: 4000,
  success: 2000,
  info: 3000,
};

let lastId = 0;

/**
 * Shows a toast in place of the previous one, and announces it once. `isSilent` when the page's own message is
 * announced already.
 */
export function showToast(tone: Toast['tone'], text: string, { isSilent = false } = {}): void {
  lastId += 1;
  toastStore.set({ id: lastId, tone, text });
  if (!isSilent) announce(text, tone === 'success' || tone === 'info' ? 'polite' : 'assertive');
}
