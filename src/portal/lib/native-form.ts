import { xsrfToken } from './xsrf.ts';
import { ScriptMissing } from './lazily.ts';

/** The form of all buttons that the server answers; it is beside React's root (ssr/document.ts). */
export const BUTTONS_FORM = 'action';

/**
 * Sends a form as a no-JavaScript page does, and leaves the page (decision 124).
 * @param action the form's name, or that of the pressed button
 * @param address the page's address, if the address bar has only a part of it
 */
export function sendNatively(
  form: HTMLFormElement | null,
  action: string,
  address = location.pathname + location.search,
): void {
  if (!form) return;
  setHidden(form, 'action', action);
  // The page may have been rendered before the visit existed.
  setHidden(form, 'xsrf', xsrfToken() ?? '');
  form.setAttribute('action', address);
  form.submit();
}

/** Returns the handler of a failed press: without its script the named button is sent to the server. */
export function orNatively(action: string): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ScriptMissing)) throw error;
    sendNatively(document.forms.namedItem(BUTTONS_FORM), action);
  };
}

/** Shows Continue at once where a page waits for a script that did not load. */
export function offerContinue(error: unknown): void {
  if (!(error instanceof ScriptMissing)) throw error;
  document.documentElement.dataset.broken = '';
}

function setHidden(form: HTMLFormElement, name: string, value: string): void {
  const own = [...form.elements].find(
    (each) => each instanceof HTMLInputElement && each.type === 'hidden' && each.name === name,
  ) as HTMLInputElement | undefined;
  const field = own ?? form.appendChild(document.createElement('input'));
  Object.assign(field, { type: 'hidden', name, value });
}
