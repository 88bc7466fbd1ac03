import { announce } from './live-region.tsx';

/** A passing message. It is never the only place of its words: the page holds them too. */
export type Toast = {
  id: number;
  tone: 'danger' | 'warning' | 'success' | 'info';
  text: string;
  hidesAfterMs: number;
};

export const TOAST_LIMIT = 20;
const SUCCESS_MS = 2000;
const OTHER_MS = 4000;

const NONE: readonly Toast[] = [];
let toasts = NONE;
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a toast and says it once. `isSilent` when the page's own message is announced already. */
export function showToast(tone: Toast['tone'], text: string, { isSilent = false } = {}): number {
  lastId += 1;
  const toast = {
    id: lastId,
    tone,
    text,
    hidesAfterMs: tone === 'success' ? SUCCESS_MS : OTHER_MS,
  };
  change([...toasts, toast].slice(-TOAST_LIMIT));
  if (!isSilent) announce(text, tone === 'success' || tone === 'info' ? 'polite' : 'assertive');
  return toast.id;
}

export function dismissToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentToasts(): readonly Toast[] {
  return toasts;
}

/** The server never has a toast to draw. */
export function serverToasts(): readonly Toast[] {
  return NONE;
}
