import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import fastifyCookie from '@fastify/cookie';
import fastifySwagger from '@fastify/swagger';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import type { Data } from '#contract/index.ts';
import { type RoleId, roleOf } from '#domain/roles.ts';
import { createHostedLogin, type HostedLogin } from '#identity/hosted-login.ts';
import { createDemoModules, type DemoModules } from '#modules/demo-modules.ts';
import { createActivation } from './activation/activation.ts';
import { bindPassword } from './password/password.routes.ts';
import { createResets, type Recipient as ResetRecipient } from './password/resets.ts';
import { createActivationLinks } from './activation/links.ts';
import { bindActivation } from './activation/activation.routes.ts';
import { createAudit } from './audit/audit.ts';
import type { DevClock } from './clock.ts';
import { type Config, loadModules } from './config.ts';
import type { Database, Db } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { seedDemo } from './db/seed.ts';
import { setUpDemoModules } from './dev/demo-modules.ts';
import { installDemoModules } from './dev/demo-modules.routes.ts';
import { installDevRoutes } from './dev/dev.routes.ts';
import { createHandOff } from './hand-off/hand-off.ts';
import { bindHandOff } from './hand-off/hand-off.routes.ts';
import { loadSigningKey } from './hand-off/keys.ts';
import { createBinder } from './http/bind.ts';
import { installErrors, refuseUnknown, refuseUnreadable } from './http/errors.ts';
import { installHeaders, securityHeaders } from './http/headers.ts';
import { installHealth } from './http/health.ts';
import { addressOf, mountHostedLogin } from './http/hosted-login-mount.ts';
import { createVisitCookie } from './http/visit-cookie.ts';
import { createIdentityStore } from './identity-store.ts';
import { createOutbox, type Handler, type Outbox } from './jobs/outbox.ts';
import type { Kit } from './kit.ts';
import { createLeads } from './leads/leads.ts';
import { createLimits } from './limits/limits.ts';
import { createLookUps } from './limits/look-ups.ts';
import {
  codeMessage,
  passwordChangedMessage,
  resetMessage,
  roleAddedMessage,
  type Sender,
} from './messaging/messages.ts';
import { createMessenger } from './messaging/messenger.ts';
import { createOtp, type OtpCode, type Recipient, toSent } from './otp/otp.ts';
import { bindOtp } from './otp/otp.routes.ts';
import { createRecipients } from './otp/recipients.ts';
import { createPages, installPages } from './pages/pages.ts';
import { loadPortalBuild } from './pages/portal-build.ts';
import { installStaticFiles } from './pages/static-files.ts';
import { createHashing } from './password/hashing.ts';
import { bindReference } from './reference/reference.routes.ts';
import { createSurvey } from './reference/survey.ts';
import { createKeyring } from './secrets.ts';
import { createCodeExchange } from './sessions/code-exchange.ts';
import { createPasswordCheck } from './sessions/password-check.ts';
import { bindSessions } from './sessions/sessions.routes.ts';
import { createSignIns } from './sessions/sign-ins.ts';
import { createVisitStates } from './sessions/visit-state.ts';
import { createSubtenants } from './subtenants/subtenants.ts';
import { bindSubtenants } from './subtenants/subtenants.routes.ts';
import { createPromoCodes } from './users/promo-codes.ts';
import { createUsers, type User } from './users/users.ts';
import { bindUsers } from './users/users.routes.ts';
import { channelsOf, type OtpMedium } from '#domain/otp.ts';

export type App = {
  readonly fastify: FastifyInstance;
  readonly outbox: Outbox;
  /** Stops taking requests, finishes what is under way, closes the database. */
  close(): Promise<void>;
};

/** The hosted login sends a signed-out browser back with this: it is not sent there again. */
const HOSTED_LOGOUT_DONE = 'hosted=done';
const CLIENT_ID = 'porchlight-portal';
const REALM = 'Username-Password-Authentication';
const BODY_LIMIT_BYTES = 32 * 1024;
const PORTAL_ASSETS = fileURLToPath(new URL('../portal/assets', import.meta.url));

type Options = {
  readonly config: Config;
  readonly database: Database;
  readonly clock: DevClock;
  /** Directory of the built portal; `null` serves the API alone. */
  readonly build: string | null;
};

/** The whole server, composed: the one place where features meet. */
export async function createApp({ config, database, clock, build }: Options): Promise<App> {
  const { db } = database;
  const isDemo = config.mode === 'demo';
  const isHttps = config.publicUrl.startsWith('https://');
  const headers = securityHeaders(isHttps);
  await migrate(db);

  const fastify = Fastify({
    logger: {
      level: config.logLevel,
      redact: ['req.headers.cookie', 'req.headers.authorization'],
      // Queries carry tokens and link keys: the log has paths only (decisions 5).
      serializers: { req: ({ method, url }) => ({ method, path: url.split('?')[0] }) },
    },
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 4000 },
    forceCloseConnections: 'idle',
    frameworkErrors: refuseUnreadable(headers),
  });
  // JSON is the only type that a form on another site cannot send (security D33).
  fastify.removeContentTypeParser('text/plain');
  fastify.setValidatorCompiler(validatorCompiler);
  fastify.setSerializerCompiler(serializerCompiler);
  await fastify.register(fastifyCookie);
  await fastify.register(fastifySwagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Porchlight', version: '1' } },
    transform: jsonSchemaTransform,
  });
  installHeaders(fastify, headers);
  installErrors(fastify);

  const keyring = createKeyring(config.secret);
  const audit = createAudit({ db, clock });
  const limits = createLimits({ db, clock, factor: config.limitFactor });
  const handlers: Record<string, Handler> = {};
  const outbox = createOutbox({
    db,
    clock,
    keyring,
    handlers,
    onError: (error, job) => fastify.log.warn({ err: error, job }, 'job will be tried again'),
  });
  const kit: Kit = { db, clock, config, keyring, limits, audit, outbox };

  const hashing = createHashing();
  if (isDemo) await seedDemo(db, clock, hashing.hash);
  const messenger = createMessenger(kit);
  const leads = createLeads(kit);
  handlers.message = messenger.deliver;
  handlers.lead = leads.deliver;

  const subtenants = createSubtenants(kit);
  const senderOf = async (subtenantId: number, transaction: Db): Promise<Sender> => {
    const { name, logoUrl, accent } = await subtenants.shown(subtenantId, transaction);
    return { name, logoUrl: new URL(logoUrl, config.publicUrl).href, accent };
  };

  const promoCodes = createPromoCodes(kit);
  const users = createUsers(kit, {
    hash: hashing.hash,
    isActiveSubtenant: async (id) => (await subtenants.find(id)) !== null,
    isPromoUsable: promoCodes.isUsable,
    captureLead: leads.capture,
    announceRole,
  });
  const activation = createActivation(kit, {
    captureLead: leads.capture,
    usePromo: promoCodes.use,
    hash: hashing.hash,
  });
  const activationLinks = createActivationLinks(kit);

  const exchange = createCodeExchange({
    issuer: `${config.publicUrl}/idp/`,
    clientId: CLIENT_ID,
    redirectUri: `${config.publicUrl}/account/Redirect`,
    fetch: toLoopback,
  });
  const signIns = createSignIns(kit, exchange);
  const passwordCheck = createPasswordCheck(kit, hashing.verify);
  const visits = createVisitCookie({ db, clock, keyring, isHttps });

  const hostedLogin: HostedLogin = await createHostedLogin({
    issuer: `${config.publicUrl}/idp/`,
    accounts: {
      verifyPassword: (userName, password, visitor) =>
        passwordCheck.verify(userName, password, visitor.ip),
      claimsOf: async (accountId) => claimsOf(db, Number(accountId)),
    },
    store: createIdentityStore(db),
    events: {
      async passwordAccepted({ accountId, state, cookieHeader }) {
        const visit = await visits.findByHeader(cookieHeader);
        if (visit) await signIns.acceptPassword(visit, state, Number(accountId));
      },
      async signedOut({ cookieHeader }) {
        const visit = await visits.findByHeader(cookieHeader);
        if (visit) await signIns.endVisit(visit);
      },
    },
    clients: [
      {
        clientId: CLIENT_ID,
        redirectUris: [`${config.publicUrl}/account/Redirect`],
        postLogoutRedirectUris: [
          `${config.publicUrl}/account/Signout`,
          `${config.publicUrl}/account/Signout?${HOSTED_LOGOUT_DONE}`,
        ],
        webOrigins: [config.publicUrl],
        firstParty: true,
        idTokenAlg: 'ES256',
      },
    ],
    secret: config.secret,
    now: () => clock.now(),
    log: fastify.log,
    clientIp: addressOf,
  });

  const otp = createOtp(kit, {
    queueCode,
    async onVerified(transaction, code) {
      if (code.sign_in_id) await signIns.acceptCode(transaction, code.sign_in_id);
    },
  });

  const resets = createResets(kit, {
    hash: hashing.hash,
    verify: hashing.verify,
    queueLink,
    queueNotice,
    endHosted: (userId) => hostedLogin.endAccount(String(userId)),
  });

  const demoModules = isDemo ? await setUpDemoModules(kit) : null;
  const modules = demoModules?.modules ?? loadModules(config.modulesFile ?? '');
  const handOff = createHandOff(kit, {
    key: await loadSigningKey(kit, 'handoff'),
    modules,
    async loginOf(signInId) {
      const signIn = await db
        .selectFrom('sign_ins')
        .selectAll()
        .where('id', '=', signInId)
        .where('stage', '=', 'complete')
        .executeTakeFirst();
      const login = signIn && (await signIns.loginOf(signIn));
      return login
        ? { ...login, amr: signIn.amr, authTime: signIn.verified_at ?? signIn.created_at }
        : null;
    },
    async subtenantOf(userId) {
      const row = await db
        .selectFrom('users')
        .select('subtenant_id')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow();
      return row.subtenant_id;
    },
  });

  const settings: Data<'getSettings'> = {
    hostedLogin: {
      base: `${config.publicUrl}/idp/`,
      clientId: CLIENT_ID,
      realm: REALM,
      audience: null,
      organization: null,
      scope: 'openid profile email offline_access',
    },
    mainImageMode: config.mainImageMode,
    fullWidthPaths: [...config.fullWidthPaths],
    isCaptchaNeeded: false,
    isDemo,
    help: { ...config.help },
    sealedModules: modules.flatMap(({ id, sealedTo }) =>
      sealedTo ? [{ module: id, publicKey: { ...sealedTo } }] : [],
    ),
  };

  const bind = createBinder(fastify, {
    visits,
    authenticate: (request, visit) => signIns.authenticate(request.headers.authorization, visit),
  });
  const lookUps = createLookUps(kit);
  bindUsers(bind, { users, lookUps, rememberSubtenant: subtenants.remember });
  bindPassword(bind, { resets, lookUps });
  bindOtp(bind, { otp, recipients: createRecipients({ db, clock, currentSignIn: signIns.current }), afterVerified });
  bindActivation(bind, {
    activation,
    links: activationLinks,
    rememberSubtenant: subtenants.remember,
  });
  bindSessions(bind, {
    db,
    signIns,
    endHosted: (request, reply) => hostedLogin.endSession(request.raw, cookieSink(reply)),
  });
  bindSubtenants(bind, subtenants);
  bindReference(bind, { survey: createSurvey(kit), countries: config.countries, settings });
  bindHandOff(bind, handOff);
  const stateOf = createVisitStates(kit, signIns, toSent);
  bind('getVisit', async ({ visit }) => structuredClone(await stateOf(visit)) as Data<'getVisit'>);

  fastify.get('/api/Handoff/Keys', { schema: { hide: true } }, async () => handOff.publicKeys);
  fastify.get('/api/openapi.json', { schema: { hide: true } }, async () => fastify.swagger());
  installHealth(fastify, database);
  await mountHostedLogin(fastify, hostedLogin);
  if (demoModules) {
    installDevRoutes(fastify, { db, clock, settle: outbox.settle });
    const subApp: DemoModules = createDemoModules({
      portalUrl: config.publicUrl,
      fetch: toLoopback as typeof fetch,
      now: () => clock.now(),
      secretOf: demoModules.secretOf,
      privateKeyOf: demoModules.privateKeyOf,
    });
    installDemoModules(fastify, subApp, isHttps);
  }

  if (build) {
    const portal = await loadPortalBuild(build);
    await installStaticFiles(fastify, { client: join(build, 'client'), portalAssets: PORTAL_ASSETS });
    const pages = createPages({
      build: portal,
      settings,
      canonicalHost: isDemo ? new URL(config.publicUrl).host : null,
      findVisit: (request) => visits.find(request.cookies),
      stateOf,
      subtenantFor: subtenants.shown,
      frameOrigins: [],
    });
    installPages(fastify, pages);
    fastify.setNotFoundHandler((request, reply) => {
      const isPage = request.method === 'GET' && !isMachinePath(request.url);
      return isPage ? pages.answer(request, reply) : refuseUnknown(fastify, request, reply);
    });
  } else {
    fastify.setNotFoundHandler((request, reply) => refuseUnknown(fastify, request, reply));
  }

  outbox.start();
  return {
    fastify,
    outbox,
    async close() {
      await fastify.close();
      await outbox.stop();
      await database.close();
    },
  };

  async function queueCode(
    transaction: Db,
    recipient: Recipient,
    code: { id: string; digits: string; medium: OtpMedium; expiresAt: Date },
  ): Promise<void> {
    const sender = await senderOf(recipient.subtenantId, transaction);
    const { registrationId: id, userId } = recipient;
    const link = id
      ? await activationLinks.forMail(transaction, { id, userId }, recipient.signUpPlatform)
      : null;
    for (const channel of channelsOf(code.medium)) {
      const message = codeMessage({
        code: code.digits,
        channel,
        to: channel === 'email' ? recipient.email : recipient.phone,
        firstName: recipient.firstName,
        purpose: recipient.signInId ? 'signIn' : 'signUp',
        lifeMs: code.expiresAt.getTime() - clock.now().getTime(),
        sender,
        host: new URL(config.publicUrl).hostname,
        link,
      });
      await messenger.queue(transaction, message, `otp:${code.id}:${channel}`, code.expiresAt);
    }
  }

  async function queueLink(transaction: Db, to: ResetRecipient, url: string, cause: string) {
    const sender = await senderOf(to.subtenantId, transaction);
    const message = resetMessage({ to: to.email, firstName: to.firstName, sender, link: url });
    await messenger.queue(transaction, message, `reset:${cause}`);
  }

  async function queueNotice(transaction: Db, to: ResetRecipient, cause: string) {
    const sender = await senderOf(to.subtenantId, transaction);
    const { email, firstName } = to;
    const message = passwordChangedMessage({ to: email, firstName, sender, help: config.help.email });
    await messenger.queue(transaction, message, `reset-done:${cause}`);
  }

  async function announceRole(transaction: Db, person: User, roleId: RoleId, cause: string) {
    const message = roleAddedMessage({
      to: person.email,
      firstName: person.first_name,
      role: roleOf(roleId).key,
      help: config.help.email,
      sender: await senderOf(person.subtenant_id, transaction),
    });
    await messenger.queue(transaction, message, `role:${cause}`);
  }

  /** The verified code, and nothing before it, begins the hosted session (decisions 4). */
  async function afterVerified(code: OtpCode, request: FastifyRequest, reply: FastifyReply) {
    if (!code.sign_in_id) return;
    await hostedLogin.establishSession(request.raw, cookieSink(reply), {
      accountId: String(code.user_id),
      amr: ['pwd', 'otp'],
      authTime: new Date(),
    });
  }

  /** Our own calls to the hosted login stay on this machine, whatever name the world knows us by. */
  function toLoopback(input: string | URL | Request, init?: object): Promise<Response> {
    const target = new URL(input instanceof Request ? input.url : input);
    const address = fastify.server.address();
    if (target.origin === new URL(config.publicUrl).origin && address && typeof address === 'object') {
      const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      const local = host === '0.0.0.0' || host === '[::]' ? '127.0.0.1' : host;
      return fetch(`http://${local}:${address.port}${target.pathname}${target.search}`, init);
    }
    return fetch(target, init);
  }
}

/** Fastify writes its own headers over those of the raw response: cookies go through the reply. */
function cookieSink(reply: FastifyReply) {
  return { appendHeader: (name: string, value: string) => reply.header(name, value) };
}

/** Paths that programs ask for get an envelope, not a page. */
function isMachinePath(url: string): boolean {
  return /^\/(api|idp|assets|logos|dev|demo)(\/|\?|$)/i.test(url);
}

async function claimsOf(db: Db, userId: number) {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (!user) return null;
  return {
    sub: String(user.id),
    email: user.email,
    email_verified: true,
    name: `${user.first_name} ${user.last_name}`,
    given_name: user.first_name,
    family_name: user.last_name,
    org_id: String(user.subtenant_id),
  };
}
