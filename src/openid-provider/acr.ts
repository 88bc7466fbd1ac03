/** How somebody signed in, as `acr` (OIDC Core 2, 5.5.1.1; decision 099). */

import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';

/** Names for what was done. None is a level of NIST SP 800-63B-4, whose AAL2 takes no mailed code. */
export const ACR = {
  passwordAndCode: 'urn:porchlight:acr:password-and-code',
  /** Mailed or texted, and nothing else. */
  code: 'urn:porchlight:acr:code',
} as const;

export type Acr = (typeof ACR)[keyof typeof ACR];

export const acrOf = (amr: readonly string[]): Acr =>
  amr.includes('pwd') ? ACR.passwordAndCode : ACR.code;

const noted = new WeakMap<object, Acr>();

/** For tokens that come of no session, code or refresh token. */
export function noteAcr(ctx: KoaContextWithOIDC, acr: Acr): void {
  noted.set(ctx, acr);
}

/** The `acr` of the sign-in that a token is issued for; a machine's has none. */
export function acrOfToken(ctx: KoaContextWithOIDC, token: { readonly kind: string }) {
  if (token.kind !== 'AccessToken') return undefined;
  const { AuthorizationCode, RefreshToken, Session } = ctx.oidc.entities;
  const acr = noted.get(ctx) ?? AuthorizationCode?.acr ?? RefreshToken?.acr ?? Session?.acr;
  return acr === undefined ? undefined : { acr };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The values one of which the ID token must have: an essential `acr` of the parameter `claims`. `null` where none is
 * demanded; `acr_values` are wishes. @throws InvalidRequest
 */
function demandedAcr(claims: unknown): readonly unknown[] | null {
  if (typeof claims !== 'string') return null;
  const asked = parsed(claims);
  if (!isObject(asked)) throw new errors.InvalidRequest('claims must be a JSON object');
  const acr = isObject(asked.id_token) ? asked.id_token.acr : null;
  if (!isObject(acr) || acr.essential !== true) return null;
  const { value, values = value === undefined ? null : [value] } = acr;
  if (values === null) return null;
  if (!Array.isArray(values)) throw new errors.InvalidRequest('values of acr must be a list');
  return values;
}

/**
 * Leaves of the parameter `claims` what is read of it. The library would ask for consent to the rest, again and again.
 * @throws InvalidRequest
 */
export function keepDemandedAcr({ oidc }: KoaContextWithOIDC, claims: string | undefined): void {
  const values = demandedAcr(claims);
  const kept = { id_token: { acr: { essential: true, values } } };
  if (oidc.params) oidc.params.claims = values === null ? undefined : JSON.stringify(kept);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new errors.InvalidRequest('claims must be a JSON object', undefined, { cause });
  }
}

/**
 * Whether somebody has to sign in (again) for the `acr` that the request demands. @throws UnmetAuthenticationRequirements
 * when no sign-in on the screens leads to it
 */
export function mustSignInForAcr({ oidc }: KoaContextWithOIDC): boolean {
  const demanded = demandedAcr(oidc.params?.claims);
  if (demanded === null || demanded.includes(oidc.session?.acr)) return false;
  if (!demanded.includes(ACR.passwordAndCode)) {
    throw new errors.UnmetAuthenticationRequirements('none of the demanded acr values can be met');
  }
  return true;
}
