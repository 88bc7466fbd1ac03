import { bindActivation } from '../sign-up/activation.routes.ts';
import { bindClients, installClientPages } from '../oauth-clients/oauth-clients.routes.ts';
import { bindHandOff } from '../hand-off/hand-off.routes.ts';
import { createHandOff } from '../hand-off/hand-off.ts';
import { createHandOffKeys } from '../hand-off/keys.ts';
import { createBinder } from '../http/bind.ts';
import { installHealth } from '../http/health.ts';
import { installDeliveryReports } from '../notifications/delivery-reports.routes.ts';
import { createDeliveryReports } from '../notifications/delivery-reports.ts';
import { installMetrics } from '../metrics/metrics.routes.ts';
import { toSentOtp } from '../otp/otp.ts';
import { bindOtp } from '../otp/otp.routes.ts';
import { bindPassword } from '../password/password.routes.ts';
import { bindReference } from '../catalog/catalog.routes.ts';
import { publicSettings } from '../catalog/public-settings.ts';
import { createSurvey } from '../catalog/survey.ts';
import { createFindPendingUser } from '../sign-in/pending-user.ts';
import { bindSignIn } from '../sign-in/sign-in.routes.ts';
import { createSignOut } from '../sign-in/sign-out.ts';
import { createVisitStates } from '../sign-in/visit-state.ts';
import { bindSubtenants } from '../subtenants/subtenants.routes.ts';
import { bindSignUp } from '../sign-up/sign-up.routes.ts';
import type { Accounts } from './accounts.ts';
import type { Core } from './core.ts';
import type { Delivery } from './delivery.ts';
import type { SignIn } from './sign-in.ts';

type Parts = {
  readonly core: Core;
  readonly delivery: Delivery;
  readonly accounts: Accounts;
  readonly signIn: SignIn;
  readonly providerAccounts: { isBeingMade(email: string): Promise<boolean> };
  readonly modules: Parameters<typeof createHandOff>[1]['modules'];
};

/** Everything that is called over HTTP. @returns what pages are drawn with. */
export async function installApi({
  core,
  delivery,
  accounts,
  signIn,
  providerAccounts,
  modules,
}: Parts) {
  const { context, fastify, visits, keys } = core;
  const { clock, config } = context;
  const { subtenants } = delivery;
  const { signUps, enumerationGuard } = accounts;
  const { signIns, captcha, identityProvider, others } = signIn;
  const rememberSubtenant = subtenants.remember;
  const settings = publicSettings(config, identityProvider.settings, modules);

  const bind = createBinder(fastify, {
    visits,
    authenticate: (request, visit) => signIns.authenticate(request.headers.authorization, visit),
  });
  bindSignUp(bind, {
    signUps,
    enumerationGuard,
    captcha,
    isBeingMade: providerAccounts.isBeingMade,
    rememberSubtenant,
  });
  bindPassword(bind, { resets: signIn.resets, enumerationGuard, captcha });
  bindOtp(bind, {
    otps: signIn.otps,
    isSignUpByMailOnly: core.isStrict,
    changeAddress: signUps.changeAddress,
    recipients: signIn.recipients,
    /** The verified OTP, and nothing before it, begins the hosted session (SRV-08). */
    async afterVerified(otp, request, reply) {
      if (otp.sign_in_id) await identityProvider.codeVerified(otp.user_id, request, reply);
    },
  });
  bindActivation(bind, {
    activation: accounts.activation,
    links: accounts.activationLinks,
    rememberSubtenant,
  });
  bindSignIn(bind, {
    signIns,
    captcha,
    findPendingUser: createFindPendingUser(context, signIns),
    signOut: createSignOut({
      signIns,
      endProviderSession: identityProvider.endSession,
      endsWithApi: identityProvider.settings.endsWithApi,
    }),
    afterRecorded: signIn.recordDevice,
  });
  bindSubtenants(bind, subtenants);
  bindReference(bind, {
    survey: createSurvey(context),
    countries: config.countries,
    settings,
    isCaptchaNeeded: signIn.isCaptchaNeeded,
    hasVisit: async ({ cookies }) => (await visits.find(cookies)) !== null,
    clock,
  });
  bind('getChallenge', ({ body, visit, ip }) => captcha.challenge(body.purpose, { visit, ip }));

  const handOff = createHandOff(context, {
    keys: createHandOffKeys(() => keys.current('handoff')),
    modules,
    signedIn: signIns.signedIn,
  });
  bindHandOff(bind, handOff);
  fastify.get('/api/Handoff/Keys', { schema: { hide: true } }, () => handOff.publicKeys());

  if (others) {
    bindClients(bind, others);
    installClientPages(fastify, others);
  }
  const stateOf = createVisitStates(
    context,
    signIns,
    toSentOtp,
    async (visit, id) => (await others?.pendingInteractions.find(visit, id)) ?? null,
  );
  bind('getVisit', async ({ visit, query }) => {
    const state = await stateOf(visit, query.request);
    return { ...state, delivery: state.code && (await delivery.deliveryStatus.of(visit)) };
  });

  fastify.get('/api/openapi.json', { schema: { hide: true } }, async () => fastify.swagger());
  await installDeliveryReports(fastify, {
    deliveryReports: createDeliveryReports(context),
    clock,
    config,
  });
  installHealth(fastify, core.database, {
    isDraining: core.drain.isDraining,
    providers: delivery.providers,
  });
  if (core.metrics && config.metricsToken !== null) {
    const { providers } = delivery;
    installMetrics(fastify, { metrics: core.metrics, token: config.metricsToken, providers });
  }
  await identityProvider.mount(fastify);
  return { settings, stateOf };
}
