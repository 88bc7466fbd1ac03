import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import {
  CompactEncrypt,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose';
import { HANDOFF_LIFE_MS, HANDOFF_TOKEN_TYPE, handoffUrl } from '#domain/hand-off/hand-off.ts';
import {
  LOGOUT_EVENT,
  LOGOUT_TOKEN_LIFE_MS,
  LOGOUT_TOKEN_TYPE,
} from '#domain/hand-off/logout-token.ts';
import { type ModuleId, type RoleId, roleOf } from '#domain/people/roles.ts';

/** The answer of Redeem: `once` accepts every token once, also a faulty one; else always the same refusal. */
export type Redeeming = 'once' | { readonly status: number; readonly errorFlag: string | null };

type Claims = Readonly<Record<string, unknown>>;

/** The fault of a token. */
export type Change = {
  readonly claims?: Claims;
  readonly header?: Readonly<Record<string, unknown>>;
  /** By a key that is not in the key set, under the id of one that is. */
  readonly isForeign?: boolean;
  /** Of the sealed credential; `null` for a hand-off without one. */
  readonly credential?: Claims | null;
};

export type CheckPortal = Awaited<ReturnType<typeof startCheckPortal>>;

type Options = {
  readonly url: string;
  readonly module: ModuleId;
  readonly roleId: RoleId;
  /** Tells whether this is the module's secret. */
  readonly isSecret: (secret: string) => boolean;
  /** The module's key, if its hand-offs carry a credential. */
  readonly sealedTo: JWK | null;
};

const SUBTENANT = 742;
/** Where a redirect of Redeem leads. */
const MOVED = '/moved';
const SEALING = 'RSA-OAEP-256';
const BODY_BYTES = 64 * 1024;

/** A portal as far as a module sees it: key set, Redeem, sign-in and sign-out pages. @throws Error when its address is in use */
export async function startCheckPortal({ url, module, roleId, isSecret, sealedTo }: Options) {
  const own = await generateKeyPair('ES256');
  const foreign = await generateKeyPair('ES256');
  const publicJwk = {
    ...(await exportJWK(own.publicKey)),
    kid: randomUUID(),
    alg: 'ES256',
    use: 'sig',
  };
  const memberName = `Check ${randomUUID().slice(0, 10)}`;
  const redeemed = new Set<string>();
  /** Of each call of Redeem: whether id and secret were right. */
  const calls: { readonly isKnown: boolean }[] = [];
  let redeeming: Redeeming = 'once';
  let keyCalls = 0;
  let movedCalls = 0;

  async function sign(claims: Claims, typ: string, { header, isForeign }: Change): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ, kid: publicJwk.kid, ...header })
      .sign((isForeign ? foreign : own).privateKey);
  }
  const seconds = () => Math.floor(Date.now() / 1000);

  /** The people who sign in, each with a session. */
  function person() {
    const userId = 4_900_000_000 + randomInt(1e8);
    return { userId, appState: randomUUID(), loggenInId: randomUUID(), roleId };
  }
  type Person = ReturnType<typeof person>;

  function claimsOf(who: Person): Claims {
    const now = seconds();
    return {
      iss: url,
      aud: module,
      sub: String(who.userId),
      jti: randomUUID(),
      iat: now,
      nbf: now,
      exp: now + HANDOFF_LIFE_MS / 1000,
      ...who,
      roleIds: [roleId],
      subtenantId: SUBTENANT,
      amr: ['pwd', 'otp'],
      auth_time: now,
    };
  }

  /** As the portal's page seals it in the browser (HND-05); the password belongs to no account. */
  async function seal(content: Claims, publicKey: JWK): Promise<string> {
    const { kid } = publicKey;
    return new CompactEncrypt(Buffer.from(JSON.stringify(content)))
      .setProtectedHeader({ alg: SEALING, enc: 'A256GCM', ...(kid !== undefined && { kid }) })
      .encrypt(await importJWK(publicKey, SEALING));
  }

  function redeem(request: IncomingMessage, body: string) {
    const basic = Buffer.from(
      request.headers.authorization?.slice('Basic '.length) ?? '',
      'base64',
    );
    const [, id = '', secret = ''] = /^([^:]*):([^]*)$/.exec(basic.toString('utf8')) ?? [];
    const isKnown = id === module && isSecret(secret);
    calls.push({ isKnown });
    if (typeof redeeming === 'object') return refusal(redeeming.status, redeeming.errorFlag);
    if (!isKnown) return refusal(401, 'MODULE_UNKNOWN');
    let claims: Claims;
    try {
      claims = decodeJwt(String((JSON.parse(body) as { token?: unknown }).token));
    } catch {
      return refusal(401, 'HANDOFF_INVALID');
    }
    const jti = String(claims.jti);
    if (redeemed.has(jti)) return refusal(409, 'CONFLICT');
    redeemed.add(jti);
    const data = {
      userId: claims.userId,
      userName: 'check@example.test',
      memberName,
      language: null,
      email: 'check@example.test',
      roleId: claims.roleId,
      userRoles: [{ roleId, roleKey: roleOf(roleId).key }],
      subtenantId: SUBTENANT,
      appState: claims.appState,
      loggedInId: claims.loggenInId,
    };
    return { status: 200, body: { succeeded: true, messages: [], errorFlag: null, data } };
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > BODY_BYTES) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const path = new URL(request.url ?? '/', url).pathname.toLowerCase();
      if (path === '/api/handoff/keys') {
        keyCalls += 1;
        return json(200, { keys: [publicJwk] });
      }
      if (path === '/api/handoff/redeem' && request.method === 'POST') {
        const { status, body } = redeem(request, Buffer.concat(chunks).toString('utf8'));
        // As a proxy that stands between answers.
        const isMoved = status >= 300 && status < 400;
        const head = { ...HTML, ...(isMoved && { location: `${url}${MOVED}` }) };
        if (body === null) return response.writeHead(status, head).end('<h1>Elsewhere</h1>');
        return json(status, body);
      }
      if (path === MOVED) movedCalls += 1;
      const isPage = path.startsWith('/account/');
      return response.writeHead(isPage ? 200 : 404, HTML).end('<p>The portal of a check.</p>');
    });
    function json(status: number, body: object) {
      const wait = status === 429 || status === 503 ? { 'retry-after': '1' } : {};
      const headers = { 'content-type': 'application/json; charset=utf-8', ...wait };
      return response.writeHead(status, headers).end(JSON.stringify(body));
    }
  });
  const { port, hostname } = new URL(url);
  server.listen(Number(port || '80'), hostname === 'localhost' ? '127.0.0.1' : hostname);
  await once(server, 'listening');

  return {
    url,
    memberName,
    calls,
    keyCalls: () => keyCalls,
    movedCalls: () => movedCalls,
    setRedeeming: (next: Redeeming) => void (redeeming = next),
    person,
    /** The address that a visitor arrives at. */
    async handOff(address: string, who: Person = person(), change: Change = {}): Promise<string> {
      const claims = { ...claimsOf(who), ...change.claims };
      const arrival = handoffUrl(address, await sign(claims, HANDOFF_TOKEN_TYPE, change), who);
      if (!sealedTo || change.credential === null) return arrival;
      const good = { pwd: randomUUID(), txn: who.appState, aud: module, iat: seconds() };
      const sealed = await seal({ ...good, ...change.credential }, sealedTo);
      return `${arrival}&credential=${encodeURIComponent(sealed)}`;
    },
    async logoutToken(who: Person, change: Change = {}): Promise<string> {
      const now = seconds();
      const claims = {
        iss: url,
        aud: module,
        sub: String(who.userId),
        sid: who.loggenInId,
        jti: randomUUID(),
        iat: now,
        exp: now + LOGOUT_TOKEN_LIFE_MS / 1000,
        events: { [LOGOUT_EVENT]: {} },
        ...change.claims,
      };
      return sign(claims, LOGOUT_TOKEN_TYPE, change);
    },
    publicJwk,
    isSealing: sealedTo !== null,
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
    },
  };
}

const HTML = { 'content-type': 'text/html; charset=utf-8' };

function refusal(status: number, errorFlag: string | null) {
  if (errorFlag === null) return { status, body: null };
  const messages = ['This is a refusal of the check.'];
  return { status, body: { succeeded: false, messages, errorFlag, data: null } };
}
