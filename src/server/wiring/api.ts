import { bindActivation } from '../sign-up/activation.routes.ts';
import { bindClients, installClientPages } from '../oauth-clients/oauth-clients.routes.ts';
import { installHandOff } from '../hand-off/hand-off.routes.ts';
import { createHandOff } from '../hand-off/hand-off.ts';
import { createHandOffKeys } from '../hand-off/keys.ts';
import { signOutNoticeJob } from '../hand-off/sign-out-notices.ts';
import { createBinder } from '../http/bind.ts';
import { installHealth } from '../http/health.ts';
import { installWellKnown } from '../http/well-known.ts';
import { bindPageCodes } from '../staff-console/people/page-codes.routes.ts';
import { createDeliveryOf } from '../otp/code-delivery.ts';
import { createBeginHosted } from '../sign-in/begin-hosted.ts';
import { installSecurityTxt } from '../http/security-txt.ts';
import { installOpenApi } from '../http/openapi.ts';
import { installPolicyReports } from '../http/policy-reports.ts';
import { installDeliveryReports } from '../notifications/delivery-reports.routes.ts';
import { installMetrics } from '../metrics/metrics.routes.ts';
import { toSentOtp } from '../otp/send-otp.ts';
import { createMailLinks } from '../contacts/mail-links.ts';
import { installAccountData } from '../my-account/data.routes.ts';
import { createPagePerson } from '../my-account/page-person.ts';
import { createMyAccount } from '../my-account/my-account.ts';
import { bindOtp } from '../otp/otp.routes.ts';
import { bindPassword } from '../password/password.routes.ts';
import { bindReference } from '../catalog/catalog.routes.ts';
import { publicSettings } from '../catalog/public-settings.ts';
import { createSurvey } from '../catalog/survey.ts';
import { createKeyOffers } from '../passkeys/key-offers.ts';
import { createSharedDevices } from '../counter/shared-devices.ts';
import { installSharedDevices } from '../counter/shared-devices.routes.ts';
import { bindPasskeys } from '../passkeys/passkeys.routes.ts';
import { bindSignIn } from '../sign-in/sign-in.routes.ts';
import { createVisitStates } from '../sign-in/visit-state.ts';
import { bindSubtenants } from '../subtenants/subtenants.routes.ts';
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
  const { signIns, captcha, identityProvider, oauth } = signIn;
  const settings = publicSettings(config, identityProvider.settings);

  const sharedDevices = createSharedDevices(context, modules);
  await installSharedDevices(fastify, sharedDevices, visits);
  const { requests } = signIn;
  const stateOf = createVisitStates(context, {
    signIns,
    describe: toSentOtp,
    requests,
    knownBrowsers: core.knownBrowsers,
    sharedDevices,
  });
  const deliveryOf = createDeliveryOf({
    sent: delivery.deliveryStatus.of,
    recipients: signIn.recipients,
    otps: signIn.otps,
  });
  const survey = createSurvey(context);
  const myAccount = createMyAccount(context, {
    ...signIn,
    ...accounts,
    consents: oauth?.consents ?? null,
    notifications: delivery.notifications,
    passwords: identityProvider.passwords,
    survey,
    sharedDevices,
    subtenants,
  });
  const beginHosted = createBeginHosted(visits, identityProvider, signIns);
  const keyOffers = createKeyOffers(context, core.metrics);
  const pagePerson = createPagePerson(context, signIns, stateOf, myAccount);
  const deps = {
    ...accounts,
    ...signIn,
    modules,
    providerAccounts,
    settings,
    subtenants,
    visits,
    requests,
    survey,
    sharedDevices,
    beginHosted,
    keyOffers,
    pagePerson,
    stateOf,
    deliveryOf,
    myAccount,
  };

  const bind = createBinder(fastify, { visits, signIns });
  bindSignUp(bind, context, deps);
  bindPassword(bind, context, deps);
  bindOtp(bind, deps);
  bindActivation(bind, deps);
  bindSignIn(bind, context, deps);
  bindSubtenants(bind, subtenants);
  bindReference(bind, context, deps);
  bind('getChallenge', ({ body, visit, ip }) => captcha.challenge(body.purpose, { visit, ip }));

  const handOffKeys = createHandOffKeys(() => keys.current('handoff'));
  const handOff = createHandOff(context, { keys: handOffKeys, modules, signIns });
  installHandOff(fastify, bind, { ...deps, handOff });
  const notices = { modules, keys: handOffKeys, fetch: core.toLoopback };
  context.outbox.define(signOutNoticeJob(context, notices));

  if (oauth) {
    bindClients(bind, oauth);
    installClientPages(fastify, oauth);
  }
  bindPageCodes(bind, context);
  bindPasskeys(bind, deps);

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
  installAccountData(fastify, context, deps);
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
