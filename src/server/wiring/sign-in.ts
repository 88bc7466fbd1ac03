import { changesByCode } from '../contacts/change-by-code.ts';
import { operationsByClient } from '../administration/by-client.ts';
import { removeNewWays } from '../administration/ways-in.ts';
import { logoutNoticeJob } from '../oauth-clients/back-channel.ts';
import { createConsents } from '../oauth-clients/consents.ts';
import { createPendingInteractions } from '../oauth-clients/pending-interactions.ts';
import { isAddressOf } from '../oauth-clients/registry.ts';
import { createAppCodes } from '../authenticator/authenticator.ts';
import {
  createEmbeddedProvider,
  embeddedExchange,
  embeddedIssuer,
} from '../identity-provider/embedded/embedded-provider.ts';
import type { IdentityProviderAccounts } from '../identity-provider/port.ts';
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
  const { config, outbox } = context;
  const { notifications, subtenants, deliveryStatus, smsGuard, calls } = delivery;
  const { captcha, passwordCheck, queueOtp, queueHelp } = accounts;
  const { demoClient, clients, notifyClients, notifyModules, endAccess, credentials } =
    credentialParts;

  const exchange = createCodeExchange({
    ...(tenant?.exchange ?? embeddedExchange(config, core.inProcess)),
    redirectUri: `${config.publicUrl}/account/Redirect`,
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
  const issuer = embeddedIssuer(config.publicUrl);
  const requests = tenant
    ? null
    : createPendingInteractions(context, { clients, consents, issuer, signIns });
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
    requests,
  });
  outbox.define(resets.askJob);
  const identityProvider =
    tenant?.login ??
    createEmbeddedProvider(context, {
      ...core,
      ...delivery,
      ...accounts,
      ...credentialParts,
      ...operationsByClient(context),
      signIns,
      signUps,
      recipients,
      otps,
      givenPasswords,
      resets,
      consents,
      isAddressOf,
      otpRecipientOf,
      sessionEnded: notifyClients,
      log: fastify.log,
    });
  keys.onChange(exchange.forgetKeys);
  const { interactions } = identityProvider;
  outbox.define(
    logoutNoticeJob(context, {
      clients,
      interactions,
      fetch: toLoopback,
    }),
  );
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
    requests,
    /** Requests of other applications; `null` where they go to a tenant. */
    oauth: interactions &&
      requests && {
        clients,
        pendingInteractions: requests,
        consents,
        interactions,
        issuer,
        signIns,
        visits,
        subtenants,
        secretBox: context.secretBox,
      },
  };
}
