/** The token that notifies applications and modules of the end of a session (OIDC Back-Channel Logout 1.0, 2.4). */

export const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** JOSE header `typ`: never that of a token for signing in. */
export const LOGOUT_TOKEN_TYPE = 'logout+jwt';
/** Milliseconds; signed anew for each try. */
export const LOGOUT_TOKEN_LIFE_MS = 120_000;
