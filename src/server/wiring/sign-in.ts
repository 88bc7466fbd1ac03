import type { FastifyReply, FastifyRequest } from 'fastify';
import { CAPTCHA_PURPOSES } from '#contract/captcha.ts';
import { browserName } from '#domain/browser-name.ts';
import type { OtpMedium } from '#domain/otp.ts';
import type { DrawPage } from '#openid-provider/options.ts';
import { createBackChannel } from '../oauth-clients/back-channel.ts';
import { createConsents } from '../oauth-clients/consents.ts';
import { createClientRegistry, fromSettings } from '../oauth-clients/registry.ts';
import { createPendingInteractions } from '../oauth-clients/pending-interactions.ts';
import type { Config } from '../config/config.ts';
import { setUpDemoClient } from '../demo/demo-client.ts';
import { createOneTimeCodes } from '../identity-provider/embedded/otp-codes.ts';
import { claimsOf } from '../accounts/claims.ts';
import { createManagedUsers } from '../identity-provider/embedded/managed-users.ts';
import { createRegistrations } from '../identity-provider/embedded/registrations.ts';
import {
  createEmbeddedProvider,
  EMBEDDED_CLIENT_ID,
  embeddedIssuer,
  portalClient,
} from '../identity-provider/embedded/embedded-provider.ts';
import type { IdentityProviderAccounts, IdentityProvider } from '../identity-provider/port.ts';
import { fetchOther } from '../http/loopback.ts';
import type { Visit } from '../http/visit-cookie.ts';
import { createCaptcha } from '../abuse/captcha.ts';
import { createOtps } from '../otp/otp.ts';
import { createRecipients } from '../otp/recipients.ts';
import { createGivenPasswords } from '../password/given-password.ts';
import { createResets } from '../password/resets.ts';
import { createCodeExchange } from '../sign-in/code-exchange.ts';
import { createDevices } from '../sign-in/devices.ts';
import { endAccess } from '../sign-in/end-access.ts';
import { createPasswordGuessingAlert } from '../sign-in/password-guessing-alert.ts';
import { createPasswordCheck } from '../sign-in/password-check.ts';
import { createSignIns } from '../sign-in/sign-ins.ts';
import { type Accounts, recipientOf } from './accounts.ts';
import type { Core } from './core.ts';
import type { Delivery } from './delivery.ts';
import type { Tenant } from './tenant.ts';

export type SignIn = ReturnType<typeof createSignIn>;

const BY_MAIL: OtpMedium = 3;
const BY_MAIL_AND_SMS: OtpMedium = 4;

type Parts = {
  readonly core: Core;
  readonly delivery: Delivery;
  readonly accounts: Accounts;
  readonly tenant: Tenant | null;
  readonly providerAccounts: IdentityProviderAccounts;
  /** Draws the hosted login's own pages, once there are pages. */
  readonly drawPage: DrawPage;
};

/** How somebody gets in: password, code, hosted session; of the portal itself and of other applications. */
export function createSignIn({
  core,
  delivery,
  accounts,
  tenant,
  providerAccounts,
  drawPage,
}: Parts) {
  const { context, hashing, keys, visits, fastify, toLoopback, isDemo, isHttps } = core;
  const { db, config, outbox } = context;
  const { notifications, subtenants, deliveryStatus, smsGuard } = delivery;
  const { signUps, enumerationGuard, queueOtp, queueHelp } = accounts;

  const exchange = createCodeExchange({
    ...providerOf(config),
    redirectUri: `${config.publicUrl}/account/Redirect`,
    fetch: config.tenant ? fetchOther : toLoopback,
  });
  const signIns = createSignIns(context, exchange, providerAccounts);
  const captcha = createCaptcha(context);
  const passwordGuessingAlert = createPasswordGuessingAlert(
    context,
    (transaction, account, cause) =>
      notifications.passwordTried(transaction, recipientOf(account), cause),
  );
  outbox.define(passwordGuessingAlert.job);
  const passwordCheck = createPasswordCheck(context, {
    verifyHash: hashing.verify,
    isChallengeRequired: (ip) => captcha.isChallengeRequired('signIn', ip),
    onManyFailures: passwordGuessingAlert.note,
  });

  // With a tenant of its own, other applications go there.
  const demoClient = isDemo && !config.tenant ? setUpDemoClient(context) : null;
  const clients = createClientRegistry(db, [
    portalClient(config.publicUrl),
    ...(demoClient ? [demoClient.client] : []),
    ...fromSettings(config.clients),
  ]);
  const consents = createConsents(context, clients);
  const backChannel = createBackChannel(context, {
    clients,
    logoutToken: async (notice) =>
      (await identityProvider.interactions?.logoutToken(notice)) ?? null,
    fetch: toLoopback,
  });
  outbox.define(backChannel.job);

  const recipients = createRecipients({ db, clock: context.clock, currentSignIn: signIns.current });
  const otps = createOtps(context, {
    queueOtp,
    textRefusal: smsGuard.refusalFor,
    isComing: deliveryStatus.isComing,
    async onVerified(transaction, otp) {
      if (otp.sign_in_id) await signIns.acceptOtp(transaction, otp.sign_in_id);
    },
  });
  const givenPasswords = createGivenPasswords(context, {
    hash: hashing.hash,
    queueNotice: notifications.passwordChanged,
    endAccess,
    endProviderSessions: (userId) => identityProvider.endAccount(userId),
  });
  const identityProvider: IdentityProvider = tenant?.login ?? embedded();
  keys.onChange(exchange.forgetKeys);
  const resets = createResets(context, {
    passwords: identityProvider.passwords,
    queueLink: notifications.resetLink,
    queueNotice: notifications.passwordChanged,
    endAccess,
    queueHelp,
    endProviderSessions: identityProvider.endAccount,
    resetFailures: passwordCheck.resetFailures,
  });
  const devices = createDevices(context, {
    isHttps,
    notifyOwner: (transaction, account, { at, userAgent }, cause) =>
      notifications.newSignIn(
        transaction,
        recipientOf(account),
        { at, browser: browserName(userAgent) },
        cause,
      ),
  });

  const issuer = embeddedIssuer(config.publicUrl);
  const { interactions } = identityProvider;
  const pendingInteractions =
    interactions &&
    createPendingInteractions(context, { clients, consents, interactions, signedInUser, issuer });
  return {
    identityProvider,
    signIns,
    captcha,
    recipients,
    otps,
    resets,
    demoClient,
    isCaptchaNeeded,
    recordDevice,
    /** Requests of other applications; `null` where they go to a tenant. */
    others: interactions &&
      pendingInteractions && {
        clients,
        pendingInteractions,
        consents,
        interactions,
        issuer,
        signedInUser,
        secretBox: context.secretBox,
        ensureVisit: visits.ensure,
        findSubtenant: subtenants.findNamed,
        rememberSubtenant: subtenants.remember,
      },
  };

  function embedded(): IdentityProvider {
    return createEmbeddedProvider(context, {
      signIns,
      visits,
      passwordCheck,
      consumeSolution: (visit) => captcha.consume('signIn', visit),
      claimsOf: (userId) => claimsOf(db, userId),
      hashing,
      keys,
      clients,
      auth0Ports: {
        users: createManagedUsers(context, {
          hash: hashing.hash,
          setPassword: givenPasswords.set,
          endAccess: givenPasswords.endAccess,
        }),
        codes: createOneTimeCodes(context, otps),
        registrations: createRegistrations(context, {
          create: signUps.create,
          sendActivation: async (userId, caller) =>
            otps.send(
              await recipients.find('USER_ACTIVATION', userId, caller.visit),
              core.isStrict ? BY_MAIL : BY_MAIL_AND_SMS,
              caller,
            ),
          askReset: (...call) => resets.ask(...call),
          mayDisclose: enumerationGuard.mayDisclose,
          isChallengeRequired: captcha.isChallengeRequired,
        }),
      },
      consents,
      findSubtenant: subtenants.findNamed,
      sessionEnded: backChannel.sessionEnded,
      drawPage,
      log: fastify.log,
    });
  }

  async function signedInUser(visit: Visit): Promise<number | null> {
    const signIn = await signIns.current(visit);
    const isVerified = signIn?.stage === 'verified' || signIn?.stage === 'complete';
    return isVerified ? signIn.user_id : null;
  }

  /** Whether this visitor's next call may be asked for a proof; who signs in tells their account only then. */
  async function isCaptchaNeeded({ ip, cookies }: FastifyRequest): Promise<boolean> {
    const visit = await visits.find(cookies);
    if (visit && (await resets.hasFailed(visit))) return true;
    const pressed = await Promise.all(
      CAPTCHA_PURPOSES.map((purpose) => captcha.isChallengeRequired(purpose, ip)),
    );
    return pressed.includes(true);
  }

  async function recordDevice(
    userId: number,
    { cookies, headers }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    await devices.recordDevice(userId, {
      cookies,
      setCookie: (name, value, options) => void reply.setCookie(name, value, options),
      userAgent: headers['user-agent'] ?? '',
    });
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
