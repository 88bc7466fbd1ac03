import { randomBytes } from 'node:crypto';
import {
  compactDecrypt,
  createRemoteJWKSet,
  type CryptoKey,
  customFetch,
  errors,
  jwtVerify,
} from 'jose';
import { pathOf } from '#domain/flow/screens.ts';
import { HANDOFF_LIFE_MS, HANDOFF_TOKEN_TYPE } from '#domain/hand-off/hand-off.ts';
import { isLanguage, type Language } from '#locales/languages.ts';
import { MODULE_IDS, type ModuleId } from '#domain/people/roles.ts';
import { modulePage, refusalPage, type Received } from './pages.ts';

export type DemoModulesOptions = {
  /** The portal's own address: issuer of the tokens, and where its calls are. No closing slash. */
  readonly portalUrl: string;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  readonly secretOf: (module: ModuleId) => string;
  /** Opens the sealed credential of modules that take it. */
  readonly privateKeyOf: (module: ModuleId) => CryptoKey | null;
};

export type ModuleAnswer = {
  readonly status: number;
  readonly html?: string;
  readonly location?: string;
  readonly cookie?: { readonly name: string; readonly value: string };
};

/** A request for a page of an app; `cookies` are the browser's. */
export type ModuleRequest = {
  readonly page: string;
  readonly query: URLSearchParams;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly language: Language;
};

export type DemoModules = ReturnType<typeof createDemoModules>;

class Refused extends Error {}

const isModuleId = (id: string): id is ModuleId => (MODULE_IDS as readonly string[]).includes(id);

/** A code, or a passkey: its modules' entries say so in `accepts`. */
const ACCEPTED: readonly unknown[] = ['otp', 'mfa'];
/** A demo module forgets its visitors at a restart; it keeps this many at most. */
const SESSION_LIMIT = 1000;

/**
 * One small app that plays all eight modules, the way a real one should receive a visitor (HND-06):
 * verify the token by the portal's public keys, compare the hints with the claims, redeem once, server to server,
 * then go to a clean address with a session of its own.
 */
export function createDemoModules(options: DemoModulesOptions) {
  const { portalUrl, now, secretOf, privateKeyOf } = options;
  const keys = createRemoteJWKSet(new URL('/api/Handoff/Keys', portalUrl), {
    [customFetch]: options.fetch,
  });
  const sessions = new Map<string, Received>();

  async function verify(module: ModuleId, query: URLSearchParams) {
    const token = Buffer.from(query.get('token') ?? '', 'base64').toString('utf8');
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ['ES256'],
      typ: HANDOFF_TOKEN_TYPE,
      issuer: portalUrl,
      audience: module,
      currentDate: now(),
      // Also refuses a token with a time in the future.
      maxTokenAge: HANDOFF_LIFE_MS / 1000,
      requiredClaims: ['exp', 'jti', 'sub', 'appState', 'roleId'],
    });
    for (const name of ['appState', 'userId', 'roleId', 'loggenInId']) {
      if (query.get(name) !== String(payload[name]))
        throw new Refused(`${name} was changed on the way`);
    }
    if (payload.sub !== String(payload.userId)) throw new Refused('the subject is another person');
    if (!Array.isArray(payload.amr) || !payload.amr.some((each) => ACCEPTED.includes(each))) {
      throw new Refused('the sign-in had no second factor');
    }
    return { token, claims: payload };
  }

  async function redeem(module: ModuleId, token: string): Promise<Record<string, unknown>> {
    const basic = Buffer.from(`${module}:${secretOf(module)}`).toString('base64');
    const response = await options.fetch(new URL('/api/Handoff/Redeem', portalUrl), {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    const answer = (await response.json()) as { succeeded: boolean; data: Record<string, unknown> };
    if (response.status === 409) throw new Refused('this link was used before');
    if (!answer.succeeded) throw new Refused(`the portal answered ${response.status}`);
    return answer.data;
  }

  /** Only after the token was redeemed, and only for the same sign-in: a copied credential alone opens nothing. */
  async function openCredential(module: ModuleId, sealed: string | null, appState: unknown) {
    const key = privateKeyOf(module);
    if (!sealed || !key) return null;
    const { plaintext } = await compactDecrypt(sealed, key, {
      keyManagementAlgorithms: ['RSA-OAEP-256'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    const content = JSON.parse(new TextDecoder().decode(plaintext)) as Record<string, unknown>;
    if (content.txn !== appState || content.aud !== module)
      throw new Refused('the credential is not for this sign-in');
    return { length: [...String(content.pwd)].length };
  }

  async function receive(
    module: ModuleId,
    page: string,
    query: URLSearchParams,
  ): Promise<ModuleAnswer> {
    const { token, claims } = await verify(module, query);
    const person = await redeem(module, token);
    const credential = await openCredential(module, query.get('credential'), claims.appState);
    const id = randomBytes(32).toString('base64url');
    if (sessions.size >= SESSION_LIMIT) sessions.delete(sessions.keys().next().value as string);
    sessions.set(id, { module, page, claims, person, credential });
    const location = `/demo/${module}${page === 'login' ? '/login' : ''}`;
    return { status: 303, location, cookie: { name: cookieOf(module), value: id } };
  }

  /** Ends the module's own session first: Back then shows nobody. */
  function signOut(id: string, { person }: Received): ModuleAnswer {
    sessions.delete(id);
    const ids = new URLSearchParams({
      success: 'true',
      appState: String(person.appState),
      loggenInId: String(person.loggedInId),
      roleId: String(person.roleId),
      userId: String(person.userId),
    });
    return { status: 303, location: `${pathOf('signOut')}?${ids.toString()}` };
  }

  return {
    /** Answers a request under /demo/<module>. */
    async answer(request: ModuleRequest & { readonly module: string }): Promise<ModuleAnswer> {
      const { module, page, query, cookies, language } = request;
      const refused = (reason: string) => refusalPage(reason, language);
      if (!isModuleId(module)) return { status: 404, html: refused('there is no such module') };
      const id = cookies[cookieOf(module)] ?? '';
      const received = sessions.get(id);
      try {
        if (query.has('token')) return await receive(module, page, query);
        if (received && page === 'sign-out') return signOut(id, received);
        if (received) {
          const own = received.person.language;
          return { status: 200, html: modulePage(received, isLanguage(own) ? own : language) };
        }
        return { status: 401, html: refused('nobody is signed in here') };
      } catch (error) {
        const isRefusal = error instanceof Refused || error instanceof errors.JOSEError;
        if (!isRefusal) throw error;
        return { status: 403, html: refused(error.message) };
      }
    },
  };
}

const cookieOf = (module: ModuleId) => `demo-${module}`;
