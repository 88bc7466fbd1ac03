/** The token by which applications and modules are told that a session is over (OIDC Back-Channel Logout 1.0, 2.4). */

export const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** JOSE header `typ`: never that of a token which signs somebody in. */
export const LOGOUT_TOKEN_TYPE = 'logout+jwt';
/** Signed anew for each try. */
export const LOGOUT_TOKEN_LIFE_MS = 120_000;
