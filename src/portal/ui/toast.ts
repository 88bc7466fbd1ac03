/** A passing message. It is never the only place of its words: the page holds them too. */
export type Toast = {
  readonly id: number;
  readonly tone: 'danger' | 'warning' | 'success' | 'info';
  readonly text: string;
};

let current: Toast | null = null;
const listeners = new Set<() => void>();

/** Puts a toast in the place of the one before; `null` takes it away. */
export function changeToast(next: Toast | null): void {
  if (next === current) return;
  current = next;
  for (const listener of listeners) listener();
}

/** Takes the toast away; with a text only the one that says it. */
export function dismissToast(text = current?.text): void {
  if (current?.text === text) changeToast(null);
}

export function subscribeToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentToast(): Toast | null {
  return current;
}
