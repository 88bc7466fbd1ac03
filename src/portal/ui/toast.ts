import { createStore } from '../lib/store.ts';
import type { Tone } from './alert.tsx';

/** A passing message. It is never the only place of its text: the page holds it too. */
export type Toast = { readonly id: number; readonly tone: Tone; readonly text: string };

/** The current toast. */
export const toastStore = createStore<Toast | null>(null);

/** Removes the toast; with a text only if it has that text. */
export function dismissToast(text?: string): void {
  const current = toastStore.get();
  if (current && (text ?? current.text) === current.text) toastStore.set(null);
}
