import type { Body, Data, Params, Query } from '#contract/index.ts';
import type { Envelope } from '#contract/envelope.ts';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { CaptchaPurpose } from '#contract/captcha.ts';
import {
  CAPTCHA_HEADER,
  type CallName,
  routeOf,
  XSRF_COOKIE,
  XSRF_HEADER,
} from '#contract/routes.ts';
import type { OtpMedium, OtpType } from '#domain/proofs/otp.ts';
import { webMessage } from '#openid-provider/testing/test-provider.ts';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';

type Given<Key extends string, Value> = [Value] extends [undefined]
  ? object
  : object extends Value
    ? Partial<Record<Key, Value>>
    : Record<Key, Value>;
export type Input<Name extends CallName> = Given<'params', Params<Name>> &
  Given<'query', Query<Name>> &
  Given<'body', Body<Name>>;

export type Answer<Name extends CallName = CallName> = Envelope<Data<Name>> & {
  readonly status: number;
  readonly headers: Headers;
};

export type SignUpInput = Partial<Body<'createUser'>['user']> & { readonly subtenantId?: number };

/** The answer of the hosted login's silent check: a code, or the error. */
export type Silent = { readonly code: string; readonly state: string; readonly error: string };

type Origin = {
  readonly url: string;
  /** The newest code that was sent to this address. */
  readonly codeFor: (email: string) => Promise<string>;
  /** Where a TLS proxy in front of `url` hands requests on; without one they go to `url` itself. */
  readonly behindProxy?: string;
  /** Sends a request from `ip` itself; by default all come from this machine and say theirs in a header. */
  readonly fetchFrom?: (ip: string, url: URL, init: RequestInit) => Promise<Response>;
};

export type Visitor = ReturnType<typeof createVisitor>;

let addresses = 0;
/** Limits count network addresses: every visitor comes from one of his own unless a test says otherwise. */
function nextAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** A browser as far as the server can tell: cookies, origin, fetch metadata, CSRF header, bearer. */
export function createVisitor(origin: Origin, ip: string = nextAddress()) {
  const cookies = new Map<string, string>();
  /** Cookies of one address alone: the hosted login keeps parallel requests apart by them. */
  const scoped = new Map<string, Map<string, string>>();
  /** Every Set-Cookie header as it came. */
  const setCookies: string[] = [];
  const state = { token: null as string | null, userAgent: null as string | null };

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const xsrf = cookies.get(XSRF_COOKIE);
    const cookie = cookieHeader(new URL(path, origin.url).pathname);
    const headers = new Headers({
      origin: origin.url,
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': ip,
      ...(origin.behindProxy && { 'x-forwarded-proto': 'https' }),
      ...(cookie && { cookie }),
      ...(xsrf && { [XSRF_HEADER]: xsrf }),
      ...(state.token && { authorization: `Bearer ${state.token}` }),
      ...(state.userAgent !== null && { 'user-agent': state.userAgent }),
    });
    // An empty value takes a header away.
    for (const [name, value] of new Headers(init.headers)) {
      if (value === '') headers.delete(name);
      else headers.set(name, value);
    }
    const url = new URL(path, origin.url);
    // Only the portal is behind the proxy: a tenant of its own is not.
    const isBehind = origin.behindProxy !== undefined && url.origin === origin.url;
    const at = isBehind ? new URL(`${url.pathname}${url.search}`, origin.behindProxy) : url;
    const whole: RequestInit = { redirect: 'manual', ...init, headers };
    const response = await (origin.fetchFrom?.(ip, at, whole) ?? fetch(at, whole));
    for (const line of response.headers.getSetCookie()) keep(line);
    return response;
  }

  const cookieHeader = (path: string) =>
    [...cookies, ...(scoped.get(path) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');

  function keep(line: string): void {
    setCookies.push(line);
    const [pair = ''] = line.split(';', 1);
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    const [, path = '/'] = /;\s*path=([^;]+)/i.exec(line) ?? [];
    if (name.startsWith('_interaction')) {
      const own = scoped.get(path) ?? new Map<string, string>();
      scoped.set(path, own.set(name, value));
    } else if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }

  function post(path: string, body: unknown, headers: Record<string, string> = {}) {
    return request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  async function call<Name extends CallName>(
    name: Name,
    input: Input<Name>,
    headers: Record<string, string> = {},
  ): Promise<Answer<Name>> {
    const { method, path } = routeOf(name);
    const { params, query, body } = input as Record<string, Record<string, unknown> | undefined>;
    const filled = path.replace(/:(\w+)/g, (_, key: string) =>
      encodeURIComponent(String(params?.[key])),
    );
    const search = query ? `?${String(new URLSearchParams(query as Record<string, string>))}` : '';
    const response = await request(filled + search, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const envelope = (await response.json()) as Envelope<Data<Name>>;
    return { ...envelope, status: response.status, headers: response.headers };
  }

  /** A call that has to succeed: its data. */
  async function ok<Name extends CallName>(name: Name, input: Input<Name>): Promise<Data<Name>> {
    const answer = await call(name, input);
    if (!answer.succeeded) {
      throw new Error(`${name}: ${answer.status} ${answer.errorFlag} ${answer.messages.join(' ')}`);
    }
    return answer.data as Data<Name>;
  }

  /** Does the work that a purpose asks for: the header of the call that needs it. */
  async function prove(purpose: CaptchaPurpose): Promise<Record<string, string>> {
    const challenge = await ok('getChallenge', { body: { purpose } });
    const solution = await solveChallenge({ challenge, deriveKey });
    const text = JSON.stringify({ challenge, solution });
    return { [CAPTCHA_HEADER]: Buffer.from(text).toString('base64url') };
  }

  const signUp = (input: SignUpInput = {}, headers?: Record<string, string>) =>
    call('createUser', { body: signUpBody(input) }, headers);

  const sendCode = (createdBy: number, otpType: OtpType, otpSendMedium: OtpMedium = 4) =>
    call('sendOtp', { body: { createdBy, otpSendMedium, otpType } });

  const verify = (id: string, createdBy: number, otp: number | string) =>
    call('verifyOtp', { body: { id, createdBy, otp } });

  const begin = (isFresh: boolean, entrance: 'portal' | 'legalStaff' = 'portal') =>
    ok('beginSession', { body: { entrance, isFresh } });

  /** Sign-up to the end: an active account. */
  async function register(input: SignUpInput & { readonly emailAddress: string }) {
    const created = (await signUp(input)).data;
    if (created?.userActivationMode !== 'VERIFY_OTP') throw new Error('The address is taken');
    const sent = (await sendCode(created.userId, 'USER_ACTIVATION')).data;
    if (!sent) throw new Error('No code was sent');
    await ok('verifyOtp', {
      body: {
        id: sent.id,
        createdBy: created.userId,
        otp: await origin.codeFor(input.emailAddress),
      },
    });
    await ok('activateUser', { body: activation(created, sent.id) });
    return { ...created, otpId: sent.id };
  }

  /** The password at the hosted login; the ticket, or its refusal. */
  async function authenticate(username: string, password: string) {
    const settings = await ok('getSettings', {});
    const response = await post(`${settings.hostedLogin.base}co/authenticate`, {
      client_id: settings.hostedLogin.clientId,
      credential_type: 'http://auth0.com/oauth/grant-type/password-realm',
      realm: settings.hostedLogin.realm,
      username,
      password,
    });
    const body = (await response.json()) as { login_ticket?: string; error?: string };
    return { status: response.status, ticket: body.login_ticket ?? '', headers: response.headers };
  }

  async function authorize(url: string, ticket?: string): Promise<Silent> {
    const shown = ticket ? `${url}&login_ticket=${ticket}` : url;
    const first = await request(shown);
    const page =
      first.status === 303
        ? await request(new URL(first.headers.get('location') ?? '', shown).href)
        : first;
    const { response } = await webMessage(page);
    const { code = '', state: answered = '', error = '' } = response;
    return { code, state: answered, error };
  }

  /** Password, and the silent check that says `login_required`: the sign-in waits for its code. */
  async function givePassword(email: string, password: string = DEMO_PASSWORD) {
    const begun = await begin(true);
    const { status, ticket, headers } = await authenticate(email, password);
    const silent = ticket ? await authorize(begun.authorizeUrl, ticket) : null;
    return { status, headers, silent, begun };
  }

  /** The second factor is on its way. */
  async function reachCode(email: string, password?: string) {
    const { status } = await givePassword(email, password);
    if (status !== 200) throw new Error(`The hosted login answered ${status}`);
    const user = await ok('getLoginUser', { query: { emailId: email } });
    if (!user) throw new Error('Nobody is signing in');
    const sent = (await sendCode(user.userId, 'TWOFACTORAUTHENTICATION')).data;
    if (!sent) throw new Error('No code was sent');
    return { userId: user.userId, otpId: sent.id, sent };
  }

  const record = ({ code, state: appState }: Pick<Silent, 'code' | 'state'>) =>
    call('recordLogin', { body: { authId: code, appState } });

  /** After a right code: silent check, exchange, and the bearer from now on. */
  async function complete() {
    const silent = await authorize((await begin(false)).authorizeUrl);
    const answer = await record(silent);
    if (!answer.data) throw new Error(`No login: ${silent.error} ${answer.errorFlag}`);
    state.token = answer.data.authToken;
    return answer.data;
  }

  /** The whole way of a demo account's name, or of any address. */
  async function signIn(who: string, password?: string) {
    const email = who.includes('@') ? who : demoEmail(who);
    const { userId, otpId } = await reachCode(email, password);
    const otp = await origin.codeFor(email);
    await ok('verifyOtp', { body: { id: otpId, createdBy: userId, otp } });
    return complete();
  }

  return {
    ip,
    cookies,
    setCookies,
    state,
    request,
    post,
    call,
    ok,
    prove,
    signUp,
    sendCode,
    verify,
    begin,
    register,
    authenticate,
    authorize,
    givePassword,
    reachCode,
    record,
    complete,
    signIn,
  };
}

export const PASSWORD = 'Sunny-Porch-7';

/** A filled-in sign-up form, in the wire's spelling. */
export function signUpBody({ subtenantId = 742, ...user }: SignUpInput = {}): Body<'createUser'> {
  const emailAddress = user.emailAddress ?? 'new@example.test';
  return {
    subtenantId,
    signUpPlateform: 1,
    user: {
      roleId: subtenantId === 3 ? 18 : 1,
      firstName: 'Rosa',
      lastName: 'Lind',
      emailAddress,
      userName: emailAddress,
      countryCode: '+1',
      mobileNumber: '5550142290',
      password: PASSWORD,
      packageCode: null,
      ...user,
    },
  };
}

/** The activation request of a right code. */
export function activation(
  { userId, id }: { readonly userId: number; readonly id: string },
  otpId: string,
): Body<'activateUser'> {
  return { userId, userRegstrtnId: id, otpId, signUpPlatform: 1, clientIPAddress: '::1' };
}
