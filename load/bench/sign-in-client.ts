// A person's sign-in as plain HTTP, step by step as the portal does it.

const CLIENT_ID = 'porchlight-portal';
const REALM = 'Username-Password-Authentication';
const MEDIUM_EMAIL = 3;
export const DEMO_PASSWORD = 'Porchlight-1';
/** Of its hash: argon2id as OWASP asks. */
export const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

type Envelope<T> = {
  succeeded: boolean;
  data: T;
  messages: string[];
};

export type SignIn = {
  /** Up to the right password: the costly part is one argon2id verify. */
  password: () => Promise<void>;
  /** The redirect to the hosted login and the sending of a code. */
  sendCode: () => Promise<void>;
  /** Reads the dev inbox, which is not measured: production has none. */
  readCode: () => Promise<void>;
  /** The code, the second authorization, the exchange and the recorded login. */
  finish: () => Promise<void>;
  /** The Cookie header of this browser by now. */
  cookies: () => string;
};

/** `prepare` has looked up the address and begun, so that `password` is that one request alone. */
export async function prepareSignIn(url: string, email: string): Promise<SignIn> {
  const browser = createBrowser(url);
  await browser.api('GET', `/api/user/GetUserStatusByUserName/${encodeURIComponent(email)}`);
  const first = await begin(browser, true);
  const otpType = 'TWOFACTORAUTHENTICATION';
  const before = (await newestMail(browser, email))?.sentAt;
  let ticket = '';
  let userId = 0;
  let otpId = '';
  let otp = '';

  return {
    cookies: browser.cookies,
    async password() {
      const answer = await browser.json<{ login_ticket: string }>('POST', '/idp/co/authenticate', {
        client_id: CLIENT_ID,
        credential_type: 'http://auth0.com/oauth/grant-type/password-realm',
        realm: REALM,
        username: email,
        password: DEMO_PASSWORD,
      });
      ticket = answer.login_ticket;
    },
    async sendCode() {
      await browser.text(`${first.authorizeUrl}&login_ticket=${encodeURIComponent(ticket)}`);
      const user = await browser.api<{ userId: number }>(
        'GET',
        `/api/Account/GetUserDetailByEmailId?emailId=${encodeURIComponent(email)}`,
      );
      userId = user.userId;
      const sent = await browser.api<{ id: string }>('POST', '/api/OTP/Send-OTP-To-User', {
        createdBy: userId,
        otpSendMedium: MEDIUM_EMAIL,
        otpType,
      });
      otpId = sent.id;
    },
    async readCode() {
      otp = await codeFor(browser, email, before);
    },
    async finish() {
      await browser.api('POST', '/api/OTP/Validate-OTP-For-NewUser', {
        id: otpId,
        createdBy: userId,
        otp,
        otpType,
      });
      const second = await begin(browser, false);
      const page = await browser.text(second.authorizeUrl);
      const code = /"code"\s*:\s*"([^"]+)"/.exec(page)?.[1];
      if (!code) throw new Error(`No authorization code for ${email}: ${page.slice(0, 500)}`);
      await browser.api('POST', '/api/User/LogUserLogin', {
        authId: code,
        // The state of this authorization request, by which the server finds its own half of it.
        appState: new URL(second.authorizeUrl).searchParams.get('state'),
      });
    },
  };
}

/** Moves the clock of a demo. */
export async function advanceClock(url: string, advanceSeconds: number): Promise<void> {
  const response = await fetch(`${url}/dev/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ advanceSeconds }),
  });
  if (!response.ok) throw new Error(`/dev/clock answered ${response.status}.`);
}

function begin(browser: Browser, isFresh: boolean) {
  return browser.api<{ authorizeUrl: string }>('POST', '/api/Session/Begin', {
    entrance: 'portal',
    isFresh,
  });
}

/** The message leaves through the outbox a moment after the answer; an older one is still there. */
async function codeFor(browser: Browser, email: string, before?: string): Promise<string> {
  for (let tries = 0; tries < 200; tries += 1) {
    const newest = await newestMail(browser, email);
    if (newest?.code && newest.sentAt !== before) return newest.code;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`No code for ${email} in the inbox.`);
}

async function newestMail(browser: Browser, email: string) {
  const mails = await browser.json<{ code: string | null; sentAt: string }[]>(
    'GET',
    `/dev/inbox.json?to=${encodeURIComponent(email)}`,
  );
  return mails[0];
}

type Browser = {
  cookies: () => string;
  text: (target: string) => Promise<string>;
  json: <T>(method: string, target: string, body?: unknown) => Promise<T>;
  api: <T>(method: string, target: string, body?: unknown) => Promise<T>;
};

/** Cookies, the double-submitted token and nothing else: the client must cost the server nothing. */
function createBrowser(url: string): Browser {
  const cookies = new Map<string, string>();
  const header = (): string => [...cookies].map((pair) => pair.join('=')).join('; ');
  async function send(method: string, target: string, body?: unknown): Promise<Response> {
    const response = await fetch(new URL(target, url), {
      method,
      redirect: 'manual',
      headers: {
        origin: url,
        cookie: header(),
        'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN') ?? ''),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name === undefined || value === undefined) continue;
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
  async function json<T>(method: string, target: string, body?: unknown): Promise<T> {
    const response = await send(method, target, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }
  return {
    cookies: header,
    text: async (target) => {
      let response = await send('GET', target);
      for (let hops = 0; response.status >= 300 && response.status < 400 && hops < 5; hops += 1) {
        const location = response.headers.get('location');
        if (!location) break;
        // Back at the portal with the answer in the address: there is nothing more to ask.
        if (!new URL(location, url).pathname.startsWith('/idp/')) return location;
        response = await send('GET', new URL(location, response.url).href);
      }
      return response.text();
    },
    json,
    api: async <T>(method: string, target: string, body?: unknown) => {
      const answer = await json<Envelope<T>>(method, target, body);
      if (!answer.succeeded) throw new Error(`${target}: ${answer.messages.join(' ')}`);
      return answer.data;
    },
  };
}
