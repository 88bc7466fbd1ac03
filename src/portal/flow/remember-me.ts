import { forget, keep, recall } from '../lib/storage.ts';

/** Puts the address in that was typed on another screen or is remembered here, unless one stands there already. */
export function prefillEmail(input: HTMLInputElement | null): void {
  const remembered = recall('userName');
  const box = input?.form?.querySelector<HTMLInputElement>('[name=rememberMe]');
  if (box && remembered) box.checked = true;
  if (input && !input.value) input.value = recall('typedEmail') ?? remembered ?? '';
}

/** Remember me: kept only while the box is ticked (SIN-03). */
export function rememberEmail(email: string, isWanted: boolean): void {
  keep('typedEmail', email);
  if (isWanted) keep('userName', email);
  else forget('userName');
}
