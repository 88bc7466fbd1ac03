import { accentCss } from '#domain/theme.ts';

/** Puts on a subtenant's colours in place of those that the server sent; the element carries the page's nonce. */
export function applyAccent(accent: string | null): void {
  const sheet = document.getElementById('accent');
  if (sheet) sheet.textContent = accentCss(accent);
}
