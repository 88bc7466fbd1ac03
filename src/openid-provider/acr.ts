/** The factors of a sign-in, as `acr` (OIDC Core 2, 5.5.1.1; decision 099). */

import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';

/** Names for the verified factors. None is a level of NIST SP 800-63B-4, whose AAL2 accepts no mailed code. */
export const ACR = {
  passwordAndCode: 'urn:porchlight:acr:password-and-code',
  /** A code of the person's own app, or a printed recovery code, in place of the mailed one. */
  passwordAndAppCode: 'urn:porchlight:acr:password-and-app-code',
  /** A passkey whose device verified its user. */
  savedKey: 'urn:porchlight:acr:saved-key',
  /** An organisation's sign-in, with our code or where the organisation's own second step stands for it. */
  organisation: 'urn:porchlight:acr:organisation',
  /** A mailed or texted code without a password. */
  code: 'urn:porchlight:acr:code',
} as const;

export type Acr = (typeof ACR)[keyof typeof ACR];

/** Returns the values that a sign-in can have. */
export const acrValues = (acceptsKeys = false): readonly Acr[] =>
  Object.values(ACR).filter((acr) => acr !== ACR.savedKey || acceptsKeys);

/** Returns the `acr` that factors tell. An organisation's answer alone tells none: its second step is the operator's word. */
export function acrOf(amr: readonly string[]): Acr {
  if (amr.includes('fed') && amr.includes('otp')) return ACR.organisation;
  if (amr.includes('pop')) return ACR.savedKey;
  return amr.includes('pwd') ? ACR.passwordAndCode : ACR.code;
}

const noted = new WeakMap<object, Acr>();

/** Sets the `acr` of tokens that have no session, code or refresh token. */
export function recordAcr(ctx: KoaContextWithOIDC, acr: Acr): void {
  noted.set(ctx, acr);
}

/** Returns the `acr` of the sign-in that a token is issued for; a machine's token has none. */
export function acrOfToken(ctx: KoaContextWithOIDC, token: { readonly kind: string }) {
  if (token.kind !== 'AccessToken') return undefined;
  const { AuthorizationCode, RefreshToken, Session } = ctx.oidc.entities;
  const acr = noted.get(ctx) ?? AuthorizationCode?.acr ?? RefreshToken?.acr ?? Session?.acr;
  return acr === undefined ? undefined : { acr };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the values one of which the ID token must have, from an essential `acr` of the parameter `claims`; `null`
 * where none is required. `acr_values` are voluntary.
 * @throws InvalidRequest
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
 * Reduces the parameter `claims` to the `acr` that is read. For the rest the library would ask for consent again at
 * each request.
 * @throws InvalidRequest
 */
export function keepDemandedAcr({ oidc }: KoaContextWithOIDC, claims: string | undefined): void {
  const values = demandedAcr(claims);
  if (values !== null) lowerAcr(oidc, values);
  const kept = { id_token: { acr: { essential: true, values } } };
  if (oidc.params) oidc.params.claims = values === null ? undefined : JSON.stringify(kept);
}

/**
 * Lets a sign-in with an app code meet a demand for a code alone, which it is as well: the tokens of this request then
 * say that.
 */
function lowerAcr(oidc: KoaContextWithOIDC['oidc'], demanded: readonly unknown[]): void {
  Object.defineProperty(oidc, 'acr', {
    get() {
      const acr = oidc.session?.acr;
      const isLower =
        acr === ACR.passwordAndAppCode &&
        !demanded.includes(acr) &&
        demanded.includes(ACR.passwordAndCode);
      return isLower ? ACR.passwordAndCode : acr;
    },
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new errors.InvalidRequest('claims must be a JSON object', undefined, { cause });
  }
}

/**
 * Returns whether the required `acr` needs another sign-in. A code alone is no sign-in on the screens.
 * @throws UnmetAuthenticationRequirements when no sign-in on the screens leads to it
 */
export function mustSignInForAcr({ oidc }: KoaContextWithOIDC, acceptsKeys = false): boolean {
  const demanded = demandedAcr(oidc.params?.claims);
  if (demanded === null || demanded.includes(oidc.acr)) return false;
  const canMeet = acrValues(acceptsKeys).some((acr) => acr !== ACR.code && demanded.includes(acr));
  // Of the person who has just signed in, a second time would lead to the same.
  if (!canMeet || oidc.result?.login) {
    throw new errors.UnmetAuthenticationRequirements('none of the demanded acr values can be met');
  }
  return true;
}
