import { bindReference } from '../catalog/catalog.routes.ts';
import { installSharedDevices } from '../counter/shared-devices.routes.ts';
import { installHandOff } from '../hand-off/hand-off.routes.ts';
import { createBinder } from '../http/bind.ts';
import { installHealth } from '../http/health.ts';
import { installOpenApi } from '../http/openapi.ts';
import { installPolicyReports } from '../http/policy-reports.ts';
import { installWellKnown } from '../http/well-known.ts';
import { installScim } from '../organisations/scim/scim.routes.ts';
import { installMetrics } from '../metrics/metrics.routes.ts';
import { installAccountData } from '../my-account/data.routes.ts';
import { installDeliveryReports } from '../notifications/delivery-reports.routes.ts';
import { installClients } from '../identity-provider/oauth-clients/oauth-clients.routes.ts';
import { installOrganisations } from '../organisations/organisations.routes.ts';
import { bindOtp } from '../proofs/otp/otp.routes.ts';
import { bindPasskeys } from '../proofs/passkeys/passkeys.routes.ts';
import { bindPassword } from '../proofs/password/password.routes.ts';
import { bindSignIn } from '../sign-in/sign-in.routes.ts';
import { bindActivation } from '../sign-up/activation.routes.ts';
import { bindSignUp } from '../sign-up/sign-up.routes.ts';
import { bindPageCodes } from '../staff-console/people/page-codes.routes.ts';
import { bindSubtenants } from '../subtenants/subtenants.routes.ts';
import type { Parts } from './parts.ts';

/** Installs everything that is called over HTTP. */
export async function installApi(parts: Parts): Promise<void> {
  const { context, clock, fastify, sharedDevices, visits } = parts;
  // Its hooks are for the routes that follow.
  await installSharedDevices(fastify, sharedDevices, visits);
  installCalls(parts);
  installOpenApi(fastify);
  await installDeliveryReports(fastify, parts);
  await installScim(fastify, context);
  installPolicyReports(fastify, () => clock.now().getTime());
  installMonitoring(parts);
  installAccountData(fastify, context, parts);
  await installOrganisations(fastify, parts);
  installWellKnown(fastify, context);
}

/** Binds the calls of the contract. */
function installCalls(parts: Parts): void {
  const { context, fastify } = parts;
  const bind = createBinder(fastify, parts);
  bindSignUp(bind, context, parts);
  bindPassword(bind, context, parts);
  bindOtp(bind, parts);
  bindActivation(bind, parts);
  bindSignIn(bind, context, parts);
  bindSubtenants(bind, parts.subtenants);
  bindReference(bind, context, parts);
  bind('getChallenge', ({ body, visit, ip }) =>
    parts.captcha.challenge(body.purpose, { visit, ip }),
  );
  installHandOff(fastify, bind, parts);
  const { interactions } = parts.identityProvider;
  // With a tenant other applications go there.
  if (interactions && parts.requests) {
    const { requests } = parts;
    installClients(fastify, bind, { ...parts, ...context, interactions, requests });
  }
  bindPageCodes(bind, context);
  bindPasskeys(bind, parts);
}

/** Installs what supervisors ask. */
function installMonitoring(parts: Parts): void {
  const { fastify, database, databaseClock, drain, providers, metrics, config } = parts;
  const { isDraining } = drain;
  installHealth(fastify, database, {
    isDraining,
    isClockRight: databaseClock.isMachineRight,
    providers,
  });
  if (metrics && config.metricsToken !== null) {
    installMetrics(fastify, { metrics, token: config.metricsToken, providers });
  }
}
