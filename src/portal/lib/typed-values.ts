import { fillIn } from './fill-in.ts';
import { getItem, removeItems, setItem } from './storage.ts';

/** Returns the inputs whose values may be kept: no password, no code, no choice, and no value of ours. */
const fields = () =>
  document.querySelectorAll<HTMLInputElement>(
    'main input:not([type=password],[type=hidden],[type=checkbox],[type=radio],[inputmode=numeric])',
  );

/** Keeps what was typed while the page opens again in another language. */
export function keepTyped(): void {
  const typed: Record<string, string> = {};
  for (const { name, value } of fields()) typed[name] = value;
  setItem('typed', typed);
}

/** Puts it back, once. */
export function restoreTyped(): void {
  const typed = getItem('typed');
  removeItems('typed');
  if (typed) for (const field of fields()) fillIn(field, typed[field.name] ?? null);
}
