/** The grant types of a client: short names in the settings, Auth0's names on the wire. */

import type { OAuthClient } from './client-port.ts';

export const PASSWORD = 'password';
export const PASSWORD_REALM = 'http://auth0.com/oauth/grant-type/password-realm';
export const MFA_OOB = 'http://auth0.com/oauth/grant-type/mfa-oob';
export const MFA_OTP = 'http://auth0.com/oauth/grant-type/mfa-otp';
export const PASSWORDLESS = 'http://auth0.com/oauth/grant-type/passwordless/otp';

/**
 * Auth0's grants that need no browser. Registered for every client; each handler checks its switch and refuses in
 * Auth0's words.
 */
export const NON_BROWSER_GRANTS = [PASSWORD, PASSWORD_REALM, MFA_OOB, MFA_OTP, PASSWORDLESS];

const SHORT = ['password', 'passwordless'];

export const mayUse = (client: OAuthClient | undefined, grant: string): boolean =>
  client?.grants?.includes(grant) ?? false;

/** The `grant_types` of a client, as oidc-provider wants them. */
export function grantTypesOf(client: OAuthClient): readonly string[] {
  const own = (client.grants ?? ['authorization_code']).filter((grant) => !SHORT.includes(grant));
  const { responseTypes = [] } = client;
  const isImplicit = responseTypes.some((type) => type !== 'code');
  return [...own, ...(isImplicit ? ['implicit'] : []), ...NON_BROWSER_GRANTS];
}
