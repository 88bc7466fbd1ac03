/** The browser's half of the hosted login: Auth0's wire without a library (ARC-05). */

export type Authentication =
  | { kind: 'ok'; loginTicket: string }
  | { kind: 'wrong' }
  /** Too many failures: a captcha is needed first. */
  | { kind: 'captchaNeeded' }
  | { kind: 'tooMany'; retryAfterSeconds: number }
  | { kind: 'failed' };

export type SessionCheck =
  | { kind: 'session'; code: string; state: string }
  | { kind: 'loginRequired' }
  | { kind: 'timeout' }
  | { kind: 'failed'; error: string };

export type PasswordSignIn = {
  /** The issuer, with its trailing slash. */
  base: string;
  clientId: string;
  realm: string;
  username: string;
  password: string;
};

/** Auth0's three errors for a wrong password, by the path it took. */
const WRONG = ['access_denied', 'invalid_grant', 'invalid_user_password'];
/** Errors of a silent check that needs the person (OIDC Core 3.1.2.6). */
const NEEDS_PERSON = ['login_required', 'consent_required', 'interaction_required'];

/** Checks the password. A right one returns a ticket for the next authorization request of this browser. */
export async function authenticate(
  { base, clientId, ...signIn }: PasswordSignIn,
  send: typeof fetch = fetch,
): Promise<Authentication> {
  try {
    const response = await send(`${base}co/authenticate`, {
      method: 'POST',
      credentials: 'include',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: clientId,
        credential_type: 'http://auth0.com/oauth/grant-type/password-realm',
        ...signIn,
      }),
    });
    if (response.status === 429) {
      return {
        kind: 'tooMany',
        retryAfterSeconds: Number(response.headers.get('retry-after')) || 60,
      };
    }
    const answer = await response.json();
    if (response.ok) return { kind: 'ok', loginTicket: answer.login_ticket };
    if (answer.error === 'requires_verification') return { kind: 'captchaNeeded' };
    const isWrong =
      WRONG.includes(answer.error) || answer.error_description === 'Wrong email or password.';
    return { kind: isWrong ? 'wrong' : 'failed' };
  } catch {
    return { kind: 'failed' };
  }
}

/** Returns the outcome of an authorization response. */
export function toResult({ code, state, error }: Record<string, string>): SessionCheck {
  if (code && state) return { kind: 'session', code, state };
  if (error && NEEDS_PERSON.includes(error)) return { kind: 'loginRequired' };
  return { kind: 'failed', error: error ?? 'no_code' };
}

function check(url: URL, timeoutMs: number): Promise<SessionCheck> {
  return new Promise((resolve) => {
    const frame = document.createElement('iframe');
    const finish = (result: SessionCheck) => {
      clearTimeout(timer);
      removeEventListener('message', listen);
      frame.remove();
      resolve(result);
    };
    const listen = ({ origin, source, data }: MessageEvent) => {
      // Accepts only a message from the provider's origin, from our own frame, and for this request.
      if (origin !== url.origin || source !== frame.contentWindow) return;
      if (data?.type !== 'authorization_response') return;
      if (data.response?.state !== url.searchParams.get('state')) return;
      finish(toResult(data.response));
    };
    const timer = setTimeout(() => finish({ kind: 'timeout' }), timeoutMs);
    addEventListener('message', listen);
    frame.hidden = true;
    frame.src = url.href;
    document.body.append(frame);
  });
}

let running: { href: string; result: Promise<SessionCheck> } | undefined;

/**
 * Checks in a hidden frame whether there is a hosted session, for at most 5000 ms (API-05). One check at a time: two
 * calls for the same request share one answer, because its ticket and its code are single-use.
 */
export function checkSession(
  authorizeUrl: string,
  { loginTicket, timeoutMs = 5000 }: { loginTicket?: string; timeoutMs?: number } = {},
): Promise<SessionCheck> {
  const url = new URL(authorizeUrl, location.href);
  if (loginTicket) url.searchParams.set('login_ticket', loginTicket);
  if (running?.href === url.href) return running.result;
  const before = running?.result;
  const run = () => check(url, timeoutMs);
  const mine = { href: url.href, result: before ? before.then(run) : run() };
  running = mine;
  void mine.result.then(() => {
    if (running === mine) running = undefined;
  });
  return mine.result;
}

/** Returns the address that ends the hosted session; `returnTo` must be on the client's list. */
export function logoutUrl(base: string, clientId: string, returnTo: string): string {
  return `${base}v2/logout?${new URLSearchParams({ client_id: clientId, returnTo })}`;
}
