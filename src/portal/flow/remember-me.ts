import { fillIn, isUntouched } from '../lib/fill-in.ts';
import { removeItems, setItem, getItem } from '../lib/storage.ts';

/** Fills an empty field with the address from another screen, or with the remembered one. */
export function prefillEmail(input: HTMLInputElement | null): void {
  const remembered = getItem('userName');
  const box = input?.form?.querySelector<HTMLInputElement>('[name=rememberMe]');
  if (box && remembered && isUntouched(box)) box.checked = true;
  fillIn(input, getItem('typedEmail') ?? remembered);
}

/** Remembers the address only while the box is ticked (SIN-03). */
export function rememberEmail(email: string, isWanted: boolean): void {
  setItem('typedEmail', email);
  if (isWanted) setItem('userName', email);
  else removeItems('userName');
}
