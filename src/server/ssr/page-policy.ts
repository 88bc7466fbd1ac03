import { REPORT_DIRECTIVES } from '../http/policy-reports.ts';

/** Where a form may lead on to: an origin, or the scheme of an application on the person's own machine. */
export function targetSource(target: string): string {
  const { origin, protocol } = new URL(target);
  return origin === 'null' ? protocol : origin;
}

/** No inline code without the nonce, no third party, no string becomes code (security R32). */
export function pagePolicy(
  nonce: string,
  providerOrigins: readonly string[],
  formTargets: readonly string[] = [],
): string {
  const others = providerOrigins.map((origin) => ` ${origin}`).join('');
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    `connect-src 'self'${others}`,
    `frame-src 'self'${others}`,
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...REPORT_DIRECTIVES,
  ].join('; ');
}
