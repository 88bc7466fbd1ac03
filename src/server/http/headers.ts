const YEARS_2_SECONDS = 63_072_000;

/** Returns the headers of every answer, errors included (security R32). Pages replace the policy by their own. */
export function securityHeaders(isHttps: boolean): Readonly<Record<string, string>> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cache-control': 'no-store',
    ...(isHttps && {
      'strict-transport-security': `max-age=${YEARS_2_SECONDS}; includeSubDomains`,
    }),
  };
}

/**
 * For pages of another application's request: that application may have opened them in a window of its own, where it
 * waits for the answer (H4). Redirects count as well.
 */
export const OPENED_BY_OTHERS = { 'cross-origin-opener-policy': 'unsafe-none' } as const;

/**
 * For pages with forms: under `no-referrer` a browser sends a form with `Origin: null`, and one without fetch metadata
 * could not prove the form's origin. Path and query never leave the page.
 */
export const FORM_REFERRER_POLICY = 'strict-origin';

/** For a page without script: its own style sheet and nothing else. */
export const PLAIN_PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
