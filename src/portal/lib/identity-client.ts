/** The browser's half of the hosted login: Auth0's wire without a library (decisions 1.5). */

export type Authentication =
  | { kind: 'ok'; loginTicket: string }
  | { kind: 'wrong' }
  | { kind: 'tooMany'; retryAfterSeconds: number }
  | { kind: 'failed' };

export type SessionCheck =
  | { kind: 'session'; code: string; state: string }
  | { kind: 'loginRequired' }
  | { kind: 'timeout' }
  | { kind: 'failed'; error: string };

export interface PasswordSignIn {
  /** The issuer, with its trailing slash. */
  base: string;
  clientId: string;
  realm: string;
  username: string;
  password: string;
}

export async function authenticate(_signIn: PasswordSignIn): Promise<Authentication> {
  return { kind: 'failed' };
}

/** Seed section 9: the silent check waits 5000 ms. */
export async function checkSession(
  _authorizeUrl: string,
  _options: { loginTicket?: string; timeoutMs?: number } = {},
): Promise<SessionCheck> {
  return { kind: 'failed', error: 'not_built' };
}

export function logoutUrl(base: string, clientId: string, returnTo: string): string {
  return `${base}v2/logout?${new URLSearchParams({ client_id: clientId, returnTo })}`;
}
