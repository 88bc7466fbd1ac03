import type { FastifyRequest } from 'fastify';
import { closedModules } from '#domain/people/counter-mode.ts';
import { KEY_AMR } from '#domain/proofs/passkeys.ts';
import { HANDOFF_KEYS_PATH } from '#contract/routes.ts';
import { bindActivation } from '../sign-up/activation.routes.ts';
import { bindClients, installClientPages } from '../oauth-clients/oauth-clients.routes.ts';
import { bindHandOff } from '../hand-off/hand-off.routes.ts';
import { createHandOff } from '../hand-off/hand-off.ts';
import { createHandOffKeys } from '../hand-off/keys.ts';
import { signOutNoticeJob } from '../hand-off/sign-out-notices.ts';
import { findActiveAccount } from '../accounts/account-store.ts';
import { AppError } from '../http/app-error.ts';
import { createBinder } from '../http/bind.ts';
import { installHealth } from '../http/health.ts';
import { installWellKnown } from '../http/well-known.ts';
import { bindPageCodes } from '../staff-console/people/page-codes.routes.ts';
import { createDeliveryOf } from '../otp/code-delivery.ts';
import { createAfterVerified, createBeginHosted } from '../sign-in/begin-hosted.ts';
import { installSecurityTxt } from '../http/security-txt.ts';
import { installOpenApi } from '../http/openapi.ts';
import { installPolicyReports } from '../http/policy-reports.ts';
import { installDeliveryReports } from '../notifications/delivery-reports.routes.ts';
import { installMetrics } from '../metrics/metrics.routes.ts';
import { toSentOtp } from '../otp/send-otp.ts';
import { createMailLinks } from '../contacts/mail-links.ts';
import { installAccountData } from '../my-account/data.routes.ts';
import { createMyAccount } from '../my-account/my-account.ts';
import { bindOtp } from '../otp/otp.routes.ts';
import { bindPassword } from '../password/password.routes.ts';
import { bindReference } from '../catalog/catalog.routes.ts';
import { publicSettings } from '../catalog/public-settings.ts';
import { createSurvey } from '../catalog/survey.ts';
import { createFindPendingUser } from '../sign-in/pending-user.ts';
import { isOwnPassword } from '../sign-in/password-check.ts';
import { createKeyOffers } from '../passkeys/key-offers.ts';
import { createSharedDevices } from '../counter/shared-devices.ts';
import { installSharedDevices } from '../counter/shared-devices.routes.ts';
import { bindPasskeys } from '../passkeys/passkeys.routes.ts';
import { bindSignIn } from '../sign-in/sign-in.routes.ts';
import { createSignOut } from '../sign-in/sign-out.ts';
import { createVisitStates } from '../sign-in/visit-state.ts';
import { bindSubtenants } from '../subtenants/subtenants.routes.ts';
import { setPendingLanguage } from '../accounts/account-store.ts';
import { bindSignUp } from '../sign-up/sign-up.routes.ts';
import type { Parts } from './parts.ts';

type Needs = {
  readonly providerAccounts: { isBeingMade(email: string): Promise<boolean> };
  readonly modules: Parameters<typeof createHandOff>[1]['modules'];
};

export type Api = Awaited<ReturnType<typeof installApi>>;

/** Everything that is called over HTTP. @returns what pages are drawn with. */
export async function installApi(
  { core, delivery, accounts, signIn }: Parts,
  { providerAccounts, modules }: Needs,
) {
  const { context, fastify, visits, keys } = core;
  const { clock, config } = context;
  const { subtenants } = delivery;
  const { enumerationGuard } = accounts;
  const { signIns, signUps, captcha, identityProvider, oauth } = signIn;
  const rememberSubtenant = subtenants.remember;
  const settings = publicSettings(config, identityProvider.settings);

  const beginHosted = createBeginHosted(visits, identityProvider, signIns);
  const known = modules.map(({ id, signOutUrl }) => ({
    id,
    // The end takes the cookie of a module that the demo plays itself.
    leavesNothing: signOutUrl !== null || !config.modules.some((own) => own.id === id),
  }));
  const sharedDevices = createSharedDevices(context, closedModules(known));
  const isShared = (request: FastifyRequest) => sharedDevices.isShared(request.cookies);
  await installSharedDevices(fastify, {
    devices: sharedDevices,
    findVisit: (cookies) => visits.find(cookies),
  });

  const bind = createBinder(fastify, {
    visits,
    findWithSignIn: signIns.findVisit,
    authenticate: (request, visit) => signIns.authenticate(request.headers.authorization, visit),
  });
  bindSignUp(bind, {
    signUps,
    enumerationGuard,
    captcha,
    isBeingMade: providerAccounts.isBeingMade,
    rememberSubtenant,
    keepLanguage: (userId, language) => setPendingLanguage(context.db, userId, language),
  });
  const keyOffers = createKeyOffers(context, core.metrics);
  const { resets, cameFrom } = signIn;
  bindPassword(bind, { resets, enumerationGuard, captcha, clock, cameFrom });
  bindOtp(bind, {
    otps: signIn.otps,
    async changeAddress(claim, caller) {
      const mayDisclose = await enumerationGuard.mayDisclose(caller.visit.id, caller.ip);
      return signUps.changeAddress(claim, caller, mayDisclose);
    },
    recipients: signIn.recipients,
    afterVerified: createAfterVerified(signIns, beginHosted),
  });
  bindActivation(bind, {
    activation: accounts.activation,
    links: accounts.activationLinks,
    rememberSubtenant,
  });
  const signOut = createSignOut({
    signIns,
    endProviderSession: identityProvider.endSession,
    endsWithApi: identityProvider.settings.endsWithApi,
  });
  const sealedModules = modules.flatMap(({ id, sealedTo }) =>
    sealedTo ? [{ module: id, publicKey: { ...sealedTo } }] : [],
  );
  bindSignIn(bind, {
    signIns,
    sealedModules,
    captcha,
    findPendingUser: createFindPendingUser(context, signIns),
    async signOut(visit, request, reply) {
      await signOut(visit, request, reply);
      await visits.renew(request, reply);
    },
    async afterRecorded(signedIn, request, reply) {
      const isSharedDevice = await isShared(request);
      const device = await signIn.rememberBrowser(signedIn, isSharedDevice, request, reply);
      return signedIn.isFirst && keyOffers.isDue({ ...signedIn, device, isSharedDevice });
    },
  });
  bindSubtenants(bind, subtenants);
  const survey = createSurvey(context);
  bindReference(bind, {
    survey,
    countries: config.countries,
    settingsFor: async (request) =>
      (await isShared(request)) ? { ...settings, keys: undefined } : settings,
    isCaptchaNeeded: signIn.isCaptchaNeeded,
    hasVisit: async ({ cookies }) => (await visits.find(cookies)) !== null,
    clock,
    signedInAs: async ({ headers }, visit) => {
      try {
        return (await signIns.authenticate(headers.authorization, visit)).userId;
      } catch (error) {
        if (error instanceof AppError) return null;
        throw error;
      }
    },
  });
  bind('getChallenge', ({ body, visit, ip }) => captcha.challenge(body.purpose, { visit, ip }));

  const handOffKeys = createHandOffKeys(() => keys.current('handoff'));
  const handOff = createHandOff(context, {
    keys: handOffKeys,
    modules,
    signedInOf: signIns.signedInOf,
    lockSignedIn: signIns.lockSignedIn,
  });
  bindHandOff(bind, {
    handOff,
    closedModulesFor: async (request) =>
      (await isShared(request)) ? sharedDevices.closedModules : [],
    sealedModules,
    async isOwnPassword(userId, password, from) {
      const account = await findActiveAccount(context.db, userId);
      if (!account) throw new AppError('NO_SESSION');
      return isOwnPassword(accounts.passwordCheck, account, password, from);
    },
  });
  fastify.get(HANDOFF_KEYS_PATH, () => handOff.publicKeys());
  const notices = { modules, keys: handOffKeys, fetch: core.toLoopback };
  context.outbox.define(signOutNoticeJob(context, notices));

  if (oauth) {
    bindClients(bind, oauth);
    installClientPages(fastify, oauth);
  }
  const stateOf = createVisitStates(
    context,
    signIns,
    toSentOtp,
    async (visit, id) => (await oauth?.pendingInteractions.find(visit, id)) ?? null,
    // A shared device is known to no account: its own cookie stands beside that of the visit.
    async (userId, cookies = {}) =>
      (await core.knownBrowsers.limitSubjectOf(userId, cookies)) ??
      (await sharedDevices.find(cookies))?.id ??
      null,
  );
  const deliveryOf = createDeliveryOf({
    sent: delivery.deliveryStatus.of,
    recipients: signIn.recipients,
    otps: signIn.otps,
  });
  bindPageCodes(bind, context);
  const myAccount = createMyAccount(context, {
    consents: oauth?.consents ?? null,
    otps: signIn.otps,
    recipients: signIn.recipients,
    notifications: delivery.notifications,
    passwords: identityProvider.passwords,
    passwordCheck: accounts.passwordCheck,
    isGuessable: accounts.isGuessable,
    survey,
    resets: signIn.resets,
    mails: delivery.notifications,
    sharedDevices,
    subtenantName: async (id) => (await subtenants.shown(id, context.db)).name,
  });
  bindPasskeys(bind, {
    passkeys: signIn.passkeys,
    isSharedDevice: isShared,
    async personOf(visit, cookies) {
      const { login } = await stateOf(visit, { isForSwitcher: true, cookies });
      const account = login?.signInId
        ? await findActiveAccount(context.db, login.loggedInUserId)
        : null;
      if (!login || !account) return null;
      const isFresh = await myAccount.isFreshIn(login);
      return { account, signInId: login.signInId, isFresh };
    },
    nameOfSubtenant: async ({ subtenant_id: id }) => (await subtenants.shown(id)).name,
    afterSignedIn: (started, caller, http) =>
      beginHosted({ ...started, amr: KEY_AMR, isOfApp: false }, caller, http),
    recordOffer: (account, outcome) => keyOffers.record(account?.id ?? null, outcome),
  });
  bind('getVisit', async ({ visit, query, request: { headers, cookies } }) => {
    const hasBearer = await signIns.isKnown(headers.authorization, visit);
    const asked = { interaction: query.request, hasBearer, cookies };
    const state = await stateOf(visit, asked);
    return { ...state, delivery: state.code && (await deliveryOf(visit, state.code)) };
  });

  installOpenApi(fastify);
  await installDeliveryReports(fastify, {
    deliveryReports: delivery.deliveryReports,
    callScript: signIn.callScript,
    clock,
    config,
  });
  installPolicyReports(fastify, () => clock.now().getTime());
  installSecurityTxt(fastify, context);
  installHealth(fastify, core.database, {
    isDraining: core.drain.isDraining,
    isClockRight: core.databaseClock.isMachineRight,
    providers: delivery.providers,
  });
  if (core.metrics && config.metricsToken !== null) {
    const { providers } = delivery;
    installMetrics(fastify, { metrics: core.metrics, token: config.metricsToken, providers });
  }
  installAccountData(fastify, context, {
    isFreshIn: myAccount.isFreshIn,
    isSharedDevice: isShared,
    async personOf({ cookies }) {
      const visit = await signIns.findVisit((read) => core.visits.find(cookies, read));
      return visit && (await stateOf(visit, { isForSwitcher: true, cookies })).login;
    },
  });
  installWellKnown(fastify, config);
  const mailLinks = createMailLinks(context, {
    otps: signIn.otps,
    notifications: delivery.notifications,
    passwordCheck: accounts.passwordCheck,
    isFreshIn: myAccount.isFreshIn,
    hasTexts: delivery.hasTexts,
  });
  return { settings, stateOf, myAccount, mailLinks, deliveryOf, sharedDevices };
}
