import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import type { OtpMedium } from '#domain/otp.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CAPTCHA_PURPOSES } from '#contract/captcha.ts';
import type { Data } from '#contract/index.ts';
import { browserName } from '#domain/browser-name.ts';
import { ACADEMY_SUBTENANT_ID, DEFAULT_SUBTENANT_ID } from '#domain/subtenants.ts';
import { canonicalEmail } from '#domain/validation.ts';
import { createDemoModules, type DemoModules } from '#modules/demo-modules.ts';
import { createDemoRelyingParty } from '#modules/relying-party.ts';
import { createActivation } from './activation/activation.ts';
import { bindPassword } from './password/password.routes.ts';
import { createResets } from './password/resets.ts';
import { createActivationLinks } from './activation/links.ts';
import { bindActivation } from './activation/activation.routes.ts';
import { createAudit } from './audit/audit.ts';
import type { DevClock } from './clock.ts';
import { type Config, loadModules } from './config.ts';
import type { Database, Db } from './db/database.ts';
import type { TenantConfig } from './hosted-login/settings.ts';
import { migrate } from './db/migrate.ts';
import { seedDemo } from './db/seed.ts';
import { setUpDemoClient } from './dev/demo-client.ts';
import { setUpDemoModules } from './dev/demo-modules.ts';
import { installDemoModules } from './dev/demo-modules.routes.ts';
import { installDevRoutes } from './dev/dev.routes.ts';
import { installMailPreview } from './dev/mails.routes.ts';
import {
  createEmbedded,
  EMBEDDED_ACCOUNTS,
  EMBEDDED_CLIENT_ID,
  embeddedIssuer,
  portalClient,
} from './hosted-login/embedded.ts';
import { createTenant } from './hosted-login/tenant.ts';
import { createTenantAccounts } from './hosted-login/tenant-accounts.ts';
import { createTenantApi } from './hosted-login/tenant-api.ts';
import { createTenantUsers } from './hosted-login/tenant-users.ts';
import type { HostedLogin } from './hosted-login/port.ts';
import { createCodes } from './hosted/codes.ts';
import { createRegistrations } from './hosted/registrations.ts';
import { createManagedUsers } from './hosted/managed-users.ts';
import { createHandOff } from './hand-off/hand-off.ts';
import { bindHandOff } from './hand-off/hand-off.routes.ts';
import { createHandOffKeys } from './hand-off/keys.ts';
import { createBinder } from './http/bind.ts';
import { refuseUnknown } from './http/errors.ts';
import { installDrain } from './http/drain.ts';
import { createFastify } from './http/fastify.ts';
import { createLoopbackFetch, fetchOther } from './http/loopback.ts';
import { installHealth } from './http/health.ts';
import { createVisitCookie, type Visit } from './http/visit-cookie.ts';
import { createBackChannel } from './clients/back-channel.ts';
import { bindClients, installClientPages } from './clients/clients.routes.ts';
import { createConsents } from './clients/consents.ts';
import { createClientRequests } from './clients/requests.ts';
import { createClientRegistry, fromSettings } from './clients/registry.ts';
import { createCleanup } from './jobs/cleanup.ts';
import { createPeriodic } from './jobs/periodic.ts';
import { createOutbox, type DeadJob, type Handler, type Outbox } from './jobs/outbox.ts';
import { type KeyRing, openKeyRing } from './keys/key-ring.ts';
import { DAY_MS } from './keys/schedule.ts';
import type { Kit } from './kit.ts';
import { createLeads, LEAD_JOB } from './leads/leads.ts';
import { createCaptcha } from './limits/captcha.ts';
import { createLimits } from './limits/limits.ts';
import { createLookUps } from './limits/look-ups.ts';
import { createNotices } from './messaging/notices.ts';
import { createDeliveryStatus } from './messaging/delivery-status.ts';
import { createDrivers } from './messaging/drivers/drivers.ts';
import { createMessenger, MESSAGE_JOB } from './messaging/messenger.ts';
import { createReceipts } from './messaging/receipts.ts';
import { installReceipts } from './messaging/receipts.routes.ts';
import { createTextGuard } from './messaging/text-guard.ts';
import { createOtp, type Recipient, toSent } from './otp/otp.ts';
import { bindOtp } from './otp/otp.routes.ts';
import { createRecipients } from './otp/recipients.ts';
import { createPages, installPages, type Pages } from './pages/pages.ts';
import { loadPortalBuild } from './pages/portal-build.ts';
import { installStaticFiles } from './pages/static-files.ts';
import { createGivenPasswords } from './password/given-password.ts';
import { createHashing } from './password/hashing.ts';
import { publicSettings } from './reference/settings.ts';
import { bindReference } from './reference/reference.routes.ts';
import { createSurvey } from './reference/survey.ts';
import { createKeyring } from './secrets.ts';
import { createCodeExchange } from './sessions/code-exchange.ts';
import { createPasswordCheck } from './sessions/password-check.ts';
import { bindSessions } from './sessions/sessions.routes.ts';
import { createDevices } from './sessions/devices.ts';
import { createSignIns } from './sessions/sign-ins.ts';
import { createVisitStates } from './sessions/visit-state.ts';
import { createSubtenants } from './subtenants/subtenants.ts';
import { bindSubtenants } from './subtenants/subtenants.routes.ts';
import { createPromoCodes } from './users/promo-codes.ts';
import { subtenantOf } from './users/claims.ts';
import { createTrials } from './users/trials.ts';
import { createUsers, type User } from './users/users.ts';
import { bindUsers } from './users/users.routes.ts';

export type App = {
  readonly fastify: FastifyInstance;
  readonly outbox: Outbox;
  readonly keys: KeyRing;
  /** Says "not ready" for so long, and waits for what is under way; before `close`, where others can take over. */
  drain(noticeMs: number): Promise<void>;
  /** Stops taking requests, finishes what is under way, closes the database. */
  close(): Promise<void>;
};

const TRIALS_EVERY_MS = 60 * 60 * 1000;
const BY_MAIL: OtpMedium = 3;
const BY_MAIL_AND_SMS: OtpMedium = 4;
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
  const isStrict = config.enumerationProtection === 'strict';
  const isHttps = config.publicUrl.startsWith('https://');
  await migrate(db);
  const fastify = await createFastify(config, isHttps);
  const drain = installDrain(fastify);
  const toLoopback = createLoopbackFetch(fastify.server, config.publicUrl);

  const keyring = createKeyring(config.secret, config.previousSecrets);
  const audit = createAudit({ db, clock });
  const limits = createLimits({ db, clock, factor: config.limitFactor });
  const handlers: Record<string, Handler> = {};
  const outbox = createOutbox({
    db,
    clock,
    keyring,
    handlers,
    onError: (error, job) => fastify.log.warn({ err: error, job }, 'job will be tried again'),
    onDead: noteDead,
  });
  const kit: Kit = { db, clock, config, keyring, limits, audit, outbox };
  const keys = await openKeyRing({
    ...kit,
    maxAgeMs: config.keyRotationDays * DAY_MS,
    onError: (error) => fastify.log.warn({ err: error }, 'the keys will be read again'),
  });

  const hashing = createHashing();
  if (isDemo) await seedDemo(db, clock, hashing.hash);
  const tenant = config.tenant && createTenantParts(config.tenant);
  const accounts = tenant?.accounts ?? EMBEDDED_ACCOUNTS;
  Object.assign(handlers, tenant?.accounts.handlers);
  const watch = (provider: string, state: string) =>
    fastify.log[state === 'open' ? 'error' : 'warn']({ provider, state }, 'provider');
  const messenger = createMessenger(kit, createDrivers(kit), watch);
  const leads = createLeads(kit, watch);
  handlers[MESSAGE_JOB] = messenger.deliver;
  handlers[LEAD_JOB] = leads.deliver;
  const textGuard = createTextGuard(kit, (what) => {
    fastify.log.error({ what }, 'texts are held back, or soon will be');
    void audit({ kind: what }).catch(() => undefined);
  });
  const deliveryStatus = createDeliveryStatus(kit);

  const subtenants = createSubtenants(kit);
  const notices = createNotices(kit, { messenger, subtenantOf: subtenants.shown });
  const trials = createTrials(kit, (transaction, person, trial) =>
    notices.trialEnds(
      transaction,
      { ...recipientOf(person), subtenantId: ACADEMY_SUBTENANT_ID },
      trial,
      `${person.id}:${trial.days}:${trial.endsAt.getTime()}`,
    ),
  );
  const promoCodes = createPromoCodes(kit);
  const users = createUsers(kit, {
    hash: hashing.hash,
    isActiveSubtenant: async (id) => (await subtenants.find(id)) !== null,
    isPromoUsable: promoCodes.isUsable,
    captureLead: leads.capture,
    announceRole: (transaction, person, subtenantId, cause) =>
      notices.roleAdded(transaction, { ...recipientOf(person), subtenantId }, cause),
  });
  const activation = createActivation(kit, {
    captureLead: leads.capture,
    usePromo: promoCodes.use,
    hash: hashing.hash,
    hasHostedPassword: accounts.hasPassword,
    activated: accounts.activated,
  });
  const activationLinks = createActivationLinks(kit);

  const exchange = createCodeExchange({
    ...providerOf(config),
    redirectUri: `${config.publicUrl}/account/Redirect`,
    fetch: config.tenant ? fetchOther : toLoopback,
  });
  const signIns = createSignIns(kit, exchange, accounts);
  const captcha = createCaptcha(kit);
  const passwordCheck = createPasswordCheck(kit, {
    verifyHash: hashing.verify,
    isPressed: (ip) => captcha.isPressed('signIn', ip),
  });
  const visits = createVisitCookie({ db, clock, keyring, isHttps });

  let pages: Pages | null = null;
  // With a tenant of its own, other applications go there.
  const demoClient = isDemo && !config.tenant ? setUpDemoClient(kit) : null;
  const clients = createClientRegistry(db, [
    portalClient(config.publicUrl),
    ...(demoClient ? [demoClient.client] : []),
    ...fromSettings(config.clients),
  ]);
  const lookUps = createLookUps(kit);
  const recipients = createRecipients({ db, clock, currentSignIn: signIns.current });
  const givenPasswords = createGivenPasswords(kit, {
    hash: hashing.hash,
    queueNotice: notices.passwordChanged,
    endHosted: (userId) => hostedLogin.endAccount(userId),
  });
  const consents = createConsents(kit, clients);
  const backChannel = createBackChannel(kit, {
    clients,
    logoutToken: async (notice) => (await hostedLogin.door?.logoutToken(notice)) ?? null,
    fetch: toLoopback,
  });
  handlers.logoutNotice = backChannel.deliver;
  const hostedLogin: HostedLogin =
    tenant?.login ??
    createEmbedded(kit, {
      signIns,
      visits,
      passwordCheck,
      spendProof: (visit) => captcha.spend('signIn', visit),
      hashing,
      keys,
      clients,
      wire: {
        users: createManagedUsers(kit, {
          hash: hashing.hash,
          setPassword: givenPasswords.set,
          endAccess: givenPasswords.endAccess,
        }),
        codes: createCodes(kit, {
          send: (...call) => otp.send(...call),
          verify: (...call) => otp.verify(...call),
        }),
        registrations: createRegistrations(kit, {
          create: users.create,
          sendActivation: async (userId, caller) =>
            otp.send(
              await recipients.find('USER_ACTIVATION', userId, caller.visit),
              isStrict ? BY_MAIL : BY_MAIL_AND_SMS,
              caller,
            ),
          askReset: (...call) => resets.ask(...call),
          isTruthful: lookUps.isTruthful,
          isPressed: captcha.isPressed,
        }),
      },
      consents,
      findSubtenant: subtenants.findNamed,
      sessionEnded: backChannel.sessionEnded,
      drawPage: async (page, request, form) => pages?.draw(page, request, form) ?? null,
      log: fastify.log,
    });
  keys.onChange(exchange.forgetKeys);

  const otp = createOtp(kit, {
    queueCode,
    textRefusal: textGuard.refusalFor,
    isComing: deliveryStatus.isComing,
    async onVerified(transaction, code) {
      if (code.sign_in_id) await signIns.acceptCode(transaction, code.sign_in_id);
    },
  });

  const resets = createResets(kit, {
    passwords: hostedLogin.passwords,
    queueLink: notices.resetLink,
    queueNotice: notices.passwordChanged,
    queueHelp,
    endHosted: hostedLogin.endAccount,
    forgiveFailures: passwordCheck.forgive,
  });

  const demoModules = isDemo ? await setUpDemoModules(kit) : null;
  const modules = demoModules?.modules ?? loadModules(config.modulesFile ?? '');
  const handOff = createHandOff(kit, {
    keys: createHandOffKeys(() => keys.current('handoff')),
    modules,
    loginOf: signIns.completeLogin,
    subtenantOf: (userId) => subtenantOf(db, userId),
  });

  const settings = publicSettings(config, hostedLogin.settings, modules);

  const bind = createBinder(fastify, {
    visits,
    authenticate: (request, visit) => signIns.authenticate(request.headers.authorization, visit),
  });
  bindUsers(bind, {
    users,
    lookUps,
    captcha,
    isBeingMade: accounts.isBeingMade,
    rememberSubtenant: subtenants.remember,
  });
  bindPassword(bind, { resets, lookUps, captcha });
  bindOtp(bind, {
    otp,
    isSignUpByMailOnly: isStrict,
    changeAddress: users.changeAddress,
    deliveryOf: deliveryStatus.of,
    recipients,
    /** The verified code, and nothing before it, begins the hosted session (decisions 4). */
    async afterVerified(code, request, reply) {
      if (code.sign_in_id) await hostedLogin.codeVerified(code.user_id, request, reply);
    },
  });
  bindActivation(bind, {
    activation,
    links: activationLinks,
    rememberSubtenant: subtenants.remember,
  });
  const devices = createDevices(kit, {
    isHttps,
    async tell(transaction, userId, { at, userAgent }, cause) {
      const to = await personOf(transaction, userId);
      const browser = browserName(userAgent);
      await notices.newSignIn(transaction, to, { at, browser }, cause);
    },
  });
  bindSessions(bind, {
    db,
    signIns,
    captcha,
    afterRecorded: (userId, { cookies, headers }, reply) =>
      devices.recognise(userId, {
        cookies,
        setCookie: (name, value, options) => void reply.setCookie(name, value, options),
        userAgent: headers['user-agent'] ?? '',
      }),
    endHosted: hostedLogin.endSession,
    endsWithApi: hostedLogin.settings.endsWithApi,
  });
  bindSubtenants(bind, subtenants);
  bindReference(bind, {
    survey: createSurvey(kit),
    countries: config.countries,
    settings,
    isCaptchaNeeded,
    hasVisit: async ({ cookies }) => (await visits.find(cookies)) !== null,
    clock,
  });
  bind('getChallenge', ({ body, visit, ip }) => captcha.challenge(body.purpose, { visit, ip }));
  bindHandOff(bind, handOff);
  const issuer = embeddedIssuer(config.publicUrl);
  const signedInUser = async (visit: Visit) => {
    const signIn = await signIns.current(visit);
    const isVerified = signIn?.stage === 'verified' || signIn?.stage === 'complete';
    return isVerified ? signIn.user_id : null;
  };
  const requests =
    hostedLogin.door &&
    createClientRequests(kit, {
      clients,
      consents,
      door: hostedLogin.door,
      signedInUser,
      issuer,
    });
  if (hostedLogin.door && requests) {
    const deps = {
      clients,
      requests,
      consents,
      door: hostedLogin.door,
      issuer,
      keyring,
      ensureVisit: visits.ensure,
      signedInUser,
      findSubtenant: subtenants.findNamed,
      rememberSubtenant: subtenants.remember,
    };
    bindClients(bind, deps);
    installClientPages(fastify, deps);
  }
  const stateOf = createVisitStates(
    kit,
    signIns,
    toSent,
    async (visit, id) => (await requests?.find(visit, id)) ?? null,
  );
  bind(
    'getVisit',
    async ({ visit, query }) =>
      structuredClone(await stateOf(visit, query.request)) as Data<'getVisit'>,
  );

  fastify.get('/api/Handoff/Keys', { schema: { hide: true } }, () => handOff.publicKeys());
  fastify.get('/api/openapi.json', { schema: { hide: true } }, async () => fastify.swagger());
  await installReceipts(fastify, { receipts: createReceipts(kit), clock, config });
  const providers = () => ({ ...messenger.states(), ...leads.states() });
  installHealth(fastify, database, { isDraining: drain.isDraining, providers });
  await hostedLogin.mount(fastify);
  if (demoModules) {
    const settle = async () => {
      await trials.tellDue();
      await outbox.settle();
    };
    installDevRoutes(fastify, {
      db,
      clock,
      settle,
      onClockMoved: keys.refresh,
    });
    installMailPreview(fastify, { db, config });
    const subApp: DemoModules = createDemoModules({
      portalUrl: config.publicUrl,
      fetch: toLoopback as typeof fetch,
      now: () => clock.now(),
      secretOf: demoModules.secretOf,
      privateKeyOf: demoModules.privateKeyOf,
    });
    installDemoModules(fastify, subApp, isHttps);
    if (demoClient) {
      const party = createDemoRelyingParty({
        portalUrl: config.publicUrl,
        fetch: toLoopback as typeof fetch,
        clientId: demoClient.client.clientId,
        secret: demoClient.secret,
      });
      installDemoModules(fastify, party, isHttps, '/demo/relying-party');
    }
  }

  if (build) {
    const portal = await loadPortalBuild(build);
    await installStaticFiles(fastify, {
      client: join(build, 'client'),
      portalAssets: PORTAL_ASSETS,
    });
    pages = createPages({
      build: portal,
      settings,
      canonicalHost: isDemo ? new URL(config.publicUrl).host : null,
      findVisit: visits.findByHeader,
      stateOf,
      rememberSubtenant: subtenants.remember,
      subtenantFor: subtenants.shown,
      hostedOrigins: hostedLogin.origins,
    });
    const drawn = pages;
    installPages(fastify, drawn);
    fastify.setNotFoundHandler((request, reply) => {
      const isPage = request.method === 'GET' && !isMachinePath(request.url);
      return isPage ? drawn.answer(request, reply) : refuseUnknown(fastify, request, reply);
    });
  } else {
    fastify.setNotFoundHandler((request, reply) => refuseUnknown(fastify, request, reply));
  }

  const cleanup = createCleanup({
    db,
    clock,
    purgeHostedLogin: hostedLogin.purge,
    onDeadLetters: (count) => fastify.log.error({ count }, 'dead letters: see npm run outbox'),
    onError: (error) => fastify.log.warn({ err: error }, 'clean-up will be tried again'),
  });
  const telling = createPeriodic(TRIALS_EVERY_MS, trials.tellDue, (error) =>
    fastify.log.warn({ err: error }, 'trial notices will be tried again'),
  );
  outbox.start();
  // Demo accounts have a password that everybody knows: they are made nowhere else.
  if (tenant && !isDemo) await tenant.accounts.catchUp();
  cleanup.start();
  keys.start();
  telling.start();
  return {
    fastify,
    outbox,
    keys,
    drain: drain.drain,
    async close() {
      cleanup.stop();
      keys.stop();
      telling.stop();
      await fastify.close();
      await outbox.stop();
      messenger.close();
      await database.close();
    },
  };

  function createTenantParts(settings: TenantConfig) {
    const api = createTenantApi(settings, fetchOther);
    const people = createTenantUsers(api, settings.realm);
    const own = createTenantAccounts(kit, people);
    const onError = (error: unknown) => fastify.log.error({ err: error }, 'tenant failed');
    return {
      accounts: own,
      login: createTenant(settings, { api, users: people, accounts: own, hashing, onError }),
    };
  }

  /** A notice that anybody can set off goes to one mailbox once a day. */
  function today(): string {
    return clock.now().toISOString().slice(0, 10);
  }

  async function queueHelp(
    transaction: Db,
    asked: { readonly email: string; readonly pendingUserId: number | null },
    visit: Visit,
  ): Promise<void> {
    const { email, pendingUserId } = asked;
    const form =
      pendingUserId === null
        ? null
        : await activationLinks.forPending(transaction, pendingUserId, visit);
    const cause = `${keyring.mac('notice', canonicalEmail(email))}:${today()}`;
    if (form) return notices.activationLink(transaction, form, form.url, cause);
    const subtenantId = visit.subtenantId ?? DEFAULT_SUBTENANT_ID;
    await notices.nothingFound(transaction, { email: canonicalEmail(email), subtenantId }, cause);
  }

  async function queueCode(
    transaction: Db,
    recipient: Recipient,
    code: Parameters<Parameters<typeof createOtp>[1]['queueCode']>[2],
  ): Promise<void> {
    const { registrationId: id, userId, signUpPlatform, shadowOf } = recipient;
    if (shadowOf !== null) {
      // Told already, in other words: the same form added a role a moment ago.
      if (await users.hasJustGained(transaction, shadowOf)) return;
      const to = { ...(await personOf(transaction, shadowOf)), subtenantId: recipient.subtenantId };
      return notices.accountExists(transaction, to, `${shadowOf}:${today()}`);
    }
    const link = id
      ? await activationLinks.forMail(transaction, { id, userId }, signUpPlatform)
      : null;
    // Only a sign-up has a registration.
    const purpose = id ? 'signUp' : 'signIn';
    await notices.code(transaction, recipient, { ...code, purpose, link });
  }

  /** Whether this visitor's next call may be asked for a proof; who signs in tells their account only then. */
  async function isCaptchaNeeded({ ip, cookies }: FastifyRequest): Promise<boolean> {
    const visit = await visits.find(cookies);
    if (visit && (await resets.hasFailed(visit))) return true;
    const pressed = await Promise.all(
      CAPTCHA_PURPOSES.map((purpose) => captcha.isPressed(purpose, ip)),
    );
    return pressed.includes(true);
  }

  /** Somebody has to look: what a dead letter holds is lost unless an operator sends it after all. */
  async function noteDead(job: DeadJob): Promise<void> {
    const { id, kind, cause, isKept } = job;
    if (kind === MESSAGE_JOB) await messenger.onDead(job);
    if (!isKept) return;
    fastify.log.error({ err: cause, job: { id, kind } }, 'dead letter: see npm run outbox');
    await audit({ kind: 'outbox.dead', details: { id, kind } });
  }
}

/** Who signs people in, for the exchange of codes. */
function providerOf({ tenant, publicUrl }: Config) {
  if (!tenant) return { issuer: embeddedIssuer(publicUrl), clientId: EMBEDDED_CLIENT_ID };
  const { base, issuer, clientId, realm, audience, organization } = tenant;
  return {
    issuer,
    clientId,
    realm,
    tenantBase: base,
    ...(audience && { audience }),
    ...(organization && { organization }),
  };
}

async function personOf(db: Db, userId: number) {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return recipientOf(user);
}

function recipientOf({ email, first_name, subtenant_id }: User) {
  return { email, firstName: first_name, subtenantId: subtenant_id };
}

/** Paths that programs ask for get an envelope, not a page. */
function isMachinePath(url: string): boolean {
  return /^\/(api|idp|assets|logos|dev|demo)(\/|\?|$)/i.test(url);
}
