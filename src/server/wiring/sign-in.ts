import { OTP_MEDIUM } from '#domain/proofs/otp.ts';
import type { Actor } from '#openid-provider/user-directory.ts';
import type { AdminContext } from '../context.ts';
import { changesByCode } from '../contacts/change-by-code.ts';
import { setSuspended } from '../administration/people.ts';
import { signOut } from '../administration/sessions.ts';
import { erasePerson } from '../administration/privacy/erase.ts';
import { removeNewWays } from '../administration/ways-in.ts';
import type { Db } from '../db/database.ts';
import { logoutNoticeJob } from '../oauth-clients/back-channel.ts';
import { createConsents } from '../oauth-clients/consents.ts';
import { createPendingInteractions } from '../oauth-clients/pending-interactions.ts';
import { isAddressOf } from '../oauth-clients/registry.ts';
import type { Config } from '../config/config.ts';
import { createOneTimeCodes } from '../identity-provider/embedded/otp-codes.ts';
import { claimsOf } from '../accounts/claims.ts';
import { createAppCodes } from '../authenticator/authenticator.ts';
import { auditBy, createManagedUsers } from '../identity-provider/embedded/managed-users.ts';
import { createRegistrations } from '../identity-provider/embedded/registrations.ts';
import {
  createEmbeddedProvider,
  EMBEDDED_CLIENT_ID,
  embeddedIssuer,
} from '../identity-provider/embedded/embedded-provider.ts';
import type { IdentityProviderAccounts } from '../identity-provider/port.ts';
import { fetchOther } from '../http/loopback.ts';
import { createCallScript } from '../notifications/calls.ts';
import { createOtps } from '../otp/otp.ts';
import { createRecipients, otpRecipientOf } from '../otp/recipients.ts';
import { createIsCaptchaNeeded } from '../password/captcha-needed.ts';
import { createGivenPasswords } from '../password/given-password.ts';
import { createResets } from '../password/resets.ts';
import { acceptShown } from '../passkeys/key-store.ts';
import { createPasskeys } from '../passkeys/passkeys.ts';
import { createCodeExchange } from '../sign-in/code-exchange.ts';
import { createRememberBrowser } from '../sign-in/remember-browser.ts';
import { recordStepUp } from '../sign-in/move-attempts.ts';
import { signInsByCode } from '../sign-in/right-codes.ts';
import { createSignIns } from '../sign-in/sign-ins.ts';
import { createSignUps } from '../sign-up/sign-up.ts';
import type { Accounts } from './accounts.ts';
import type { Core } from './core.ts';
import type { Credentials } from './credentials.ts';
import type { Delivery } from './delivery.ts';
import type { Tenant } from './tenant.ts';

export type SignIn = ReturnType<typeof createSignIn>;

type Parts = {
  readonly core: Core;
  readonly delivery: Delivery;
  readonly accounts: Accounts;
  readonly credentialParts: Credentials;
  readonly tenant: Tenant | null;
  readonly providerAccounts: IdentityProviderAccounts;
};

/** Assembles sign-in: password, code, hosted session; for the portal and for other applications. */
export function createSignIn({
  core,
  delivery,
  accounts,
  credentialParts,
  tenant,
  providerAccounts,
}: Parts) {
  const { context, hashing, keys, visits, fastify, toLoopback, knownBrowsers } = core;
  const { db, config, outbox } = context;
  const { notifications, subtenants, deliveryStatus, smsGuard, calls } = delivery;
  const { captcha, passwordCheck, enumerationGuard, queueOtp, queueHelp } = accounts;
  const { demoClient, clients, notifyClients, notifyModules, endAccess, credentials } =
    credentialParts;

  const exchange = createCodeExchange({
    ...providerOf(config),
    redirectUri: `${config.publicUrl}/account/Redirect`,
    fetch: config.tenant ? fetchOther : core.inProcess,
    timeoutMs: config.providerTimeoutMs,
  });
  const signIns = createSignIns(context, {
    visits,
    exchange,
    identities: providerAccounts,
    recordEnded: notifyModules,
    knownBrowsers,
  });
  const consents = createConsents(context, clients);
  const { endAccount: endProviderSessions } = credentials;

  const signUps = createSignUps(context, { ...accounts, hashing, subtenants, signIns });
  const { hasTexts } = delivery;
  const recipients = createRecipients(context, { hasTexts, signIns });
  const otps = createOtps(context, {
    hasTexts: delivery.hasTexts,
    queueOtp,
    takeSms: smsGuard.take,
    calls,
    limitSubjectOf: knownBrowsers.limitSubjectOf,
    appCodes: createAppCodes(context, notifications),
    isComing: deliveryStatus.isComing,
    rightCodes: {
      ...signInsByCode(context, {
        signIns,
        acceptShownKeys: config.keys && acceptShown,
        notifications,
      }),
      ...changesByCode(context, notifications),
    },
  });
  const callScript = createCallScript(context, {
    subtenantOf: subtenants.shownLately,
    digitsToSay: otps.digitsToSay,
    onNews: core.recordMessage,
  });
  const passkeys =
    config.keys &&
    createPasskeys(context, config.keys, {
      beginWithKey: signIns.beginWithKey,
      endOthers: signIns.endOthers,
      recordStepUp,
      accountNotice: notifications.accountNotice,
    });
  const { isGuessable } = accounts;
  const givenPasswords = createGivenPasswords(context, {
    hashing,
    isGuessable,
    notifications,
    endAccess,
  });
  const resets = createResets(context, {
    passwords: credentials.passwords,
    isGuessable,
    notifications,
    removeNewWays,
    endAccess,
    queueHelp,
    endProviderSessions,
    resetFailures: passwordCheck.resetFailures,
    requests: {
      cameFrom: async (visit, id) => (await pendingInteractions?.cameFrom(visit, id)) ?? null,
      wayBack: async (visit, from) => (await pendingInteractions?.wayBack(visit, from)) ?? null,
    },
  });
  outbox.define(resets.askJob);
  const adminOf = (db: Db, by: Actor): AdminContext => ({
    ...context,
    db,
    audit: auditBy(context.audit)(by),
  });
  const identityProvider =
    tenant?.login ??
    createEmbeddedProvider(context, {
      signIns,
      visits,
      passwordCheck,
      consumeSolution: (visit) => captcha.consume('signIn', visit),
      claimsOf: (userId) => claimsOf(db, userId),
      keys,
      clients,
      auth0Ports: {
        users: createManagedUsers(context, {
          hash: hashing.hash,
          isGuessable: accounts.isGuessable,
          preparePassword: givenPasswords.prepare,
          endProviderSessions,
          async endSessions(userId, sessionId, by) {
            await signOut(adminOf(db, by), { id: userId }, sessionId);
            outbox.wake();
          },
          passwordTicket: resets.ticket,
          activationTicket: accounts.activationLinks.ticket,
          clients,
          isAddressOf,
          async setSuspended(transaction, userId, isSuspended, by) {
            await setSuspended(adminOf(transaction, by), userId, isSuspended);
          },
          erase: async (transaction, userId, by) =>
            (await erasePerson(adminOf(transaction, by), userId)) !== null,
        }),
        codes: createOneTimeCodes(context, otps, otpRecipientOf),
        registrations: createRegistrations(context, {
          create: signUps.create,
          prepare: signUps.prepare,
          createWithoutDisclosure: signUps.createWithoutDisclosure,
          async sendActivation(userId, caller) {
            const recipient = await recipients.find('USER_ACTIVATION', userId, caller.visit);
            if (recipient.isForRole) return false;
            await otps.send(recipient, OTP_MEDIUM.both, caller);
            return true;
          },
          askReset: resets.ask,
          mayDisclose: enumerationGuard.mayDisclose,
          isChallengeRequired: captcha.isChallengeRequired,
        }),
      },
      consents,
      findSubtenant: subtenants.findNamed,
      credentials,
      sessionEnded: notifyClients,
      log: fastify.log,
    });
  keys.onChange(exchange.forgetKeys);
  const { interactions } = identityProvider;
  outbox.define(
    logoutNoticeJob(context, {
      clients,
      logoutToken: interactions?.logoutToken ?? (async () => null),
      fetch: toLoopback,
    }),
  );
  const issuer = embeddedIssuer(config.publicUrl);
  const pendingInteractions =
    interactions &&
    createPendingInteractions(context, {
      clients,
      consents,
      interactions,
      signedInUser: signIns.signedInUser,
      issuer,
    });
  return {
    identityProvider,
    signIns,
    signUps,
    captcha,
    recipients,
    otps,
    callScript,
    passkeys,
    resets,
    demoClient,
    isCaptchaNeeded: createIsCaptchaNeeded(visits, resets, captcha),
    rememberBrowser: createRememberBrowser(context, knownBrowsers, notifications),
    /** Requests of other applications; `null` where they go to a tenant. */
    oauth: interactions &&
      pendingInteractions && {
        clients,
        pendingInteractions,
        consents,
        interactions,
        issuer,
        signedInUser: signIns.signedInUser,
        beginAtOtp: signIns.beginAtOtp,
        secretBox: context.secretBox,
        ensureVisit: visits.ensure,
        findSubtenant: subtenants.findNamed,
        rememberSubtenant: subtenants.remember,
      },
  };
}

/** Returns the provider for the exchange of codes. */
function providerOf({ tenant, publicUrl, timers }: Config) {
  if (!tenant) return { issuer: embeddedIssuer(publicUrl), clientId: EMBEDDED_CLIENT_ID };
  const { base, issuer, clientId, realm, audience, organization } = tenant;
  return {
    issuer,
    clientId,
    realm,
    tenantBase: base,
    maxAgeSeconds: timers.sessionMs / 1000,
    ...(audience && { audience }),
    ...(organization && { organization }),
  };
}
