import { XSRF_COOKIE } from '#contract/routes.ts';

/** Returns the visit's CSRF token from its cookie; `null` before there is a visit. */
export function xsrfToken(): string | null {
  const pair = document.cookie.split('; ').find((part) => part.startsWith(`${XSRF_COOKIE}=`));
  return pair ? decodeURIComponent(pair.slice(XSRF_COOKIE.length + 1)) : null;
}
