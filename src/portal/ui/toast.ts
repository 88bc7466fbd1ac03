/** A passing message. It is never the only place of its text: the page holds it too. */
export type Toast = {
  readonly id: number;
  readonly tone: 'danger' | 'warning' | 'success' | 'info';
  readonly text: string;
};

let current: Toast | null = null;
const listeners = new Set<() => void>();

/** Replaces the current toast; `null` removes it. */
export function changeToast(next: Toast | null): void {
  if (next === current) return;
  current = next;
  for (const listener of listeners) listener();
}

/** Removes the toast; with a text only if it has that text. */
export function dismissToast(text = current?.text): void {
  if (current?.text === text) changeToast(null);
}

/** Calls the listener whenever the toast changes. */
export function subscribeToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the current toast. */
export function currentToast(): Toast | null {
  return current;
}
