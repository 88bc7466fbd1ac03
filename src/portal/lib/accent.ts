import { accentCss } from '#domain/looks/theme.ts';

/** Replaces the server's accent colours by a subtenant's. The style element has the page's nonce. */
export function applyAccent(accent: string | null): void {
  const sheet = document.getElementById('accent');
  if (sheet) sheet.textContent = accentCss(accent);
}
