import type { FastifyReply, FastifyRequest } from 'fastify';
import { CAPTCHA_PURPOSES } from '#contract/captcha.ts';
import { browserName } from '#domain/browser-name.ts';
import { DISPLAY_COOKIE, DISPLAY_COOKIE_SECONDS } from '#domain/display.ts';
import { OTP_MEDIUM } from '#domain/otp.ts';
import type { Actor } from '#openid-provider/user-directory.ts';
import type { AdminContext } from '../administration/admin-context.ts';
import { applyOwnChange } from '../administration/change-contact.ts';
import { setSuspended } from '../administration/people.ts';
import { signOut } from '../administration/sessions.ts';
import { applyStaffChange } from '../administration/staff-changes.ts';
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
import { findAccount } from '../accounts/account-store.ts';
import { recordSignIn } from '../accounts/proven-contacts.ts';
import { auditBy, createManagedUsers } from '../identity-provider/embedded/managed-users.ts';
import { createRegistrations } from '../identity-provider/embedded/registrations.ts';
import {
  createEmbeddedProvider,
  EMBEDDED_CLIENT_ID,
  embeddedIssuer,
} from '../identity-provider/embedded/embedded-provider.ts';
import type { IdentityProviderAccounts } from '../identity-provider/port.ts';
import { AppError } from '../http/app-error.ts';
import { fetchOther } from '../http/loopback.ts';
import type { Visit } from '../http/visit-cookie.ts';
import { createCallScript } from '../notifications/calls.ts';
import { createOtps } from '../otp/otp.ts';
import { createRecipients, otpRecipientOf } from '../otp/recipients.ts';
import { createGivenPasswords } from '../password/given-password.ts';
import { recordOlderProof } from '../accounts/contact-changes.ts';
import { createResets } from '../password/resets.ts';
import { acceptShown } from '../saved-keys/key-store.ts';
import { createSavedKeys } from '../saved-keys/saved-keys.ts';
import { createCodeExchange } from '../sign-in/code-exchange.ts';
import { createDevices } from '../sign-in/devices.ts';
import { recordStepUp } from '../sign-in/move-attempts.ts';
import { createSignIns } from '../sign-in/sign-ins.ts';
import { createSignUps } from '../sign-up/sign-up.ts';
import { type Accounts, recipientOf } from './accounts.ts';
import { createToldAppCodes } from './app-codes.ts';
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
  const { addRole, captcha, passwordCheck, enumerationGuard, queueOtp, queueHelp } = accounts;
  const { demoClient, clients, notifyClients, notifyModules, endAccess, credentials } =
    credentialParts;

  const exchange = createCodeExchange({
    ...providerOf(config),
    redirectUri: `${config.publicUrl}/account/Redirect`,
    fetch: config.tenant ? fetchOther : core.inProcess,
    timeoutMs: config.providerTimeoutMs,
  });
  const signIns = createSignIns(context, exchange, providerAccounts, notifyModules, knownBrowsers);
  const consents = createConsents(context, clients);
  const { endAccount: endProviderSessions } = credentials;

  const signUps = createSignUps(context, {
    hash: hashing.hash,
    verify: hashing.verify,
    isGuessable: accounts.isGuessable,
    isActiveSubtenant: accounts.isActiveSubtenant,
    isPromoUsable: accounts.isPromoUsable,
    addRole,
    async isSignedIn(visit, userId) {
      const signIn = await signIns.current(visit);
      return signIn?.stage === 'complete' && signIn.user_id === userId;
    },
    async isPassword(email, password, ip) {
      const consumeSolution = async () => false;
      const { kind } = await passwordCheck.verify(email, password, { ip, consumeSolution });
      // Not looked at: that must not be quicker.
      if (kind === 'blocked' || kind === 'proofNeeded') await hashing.verify(null, password);
      return kind === 'ok';
    },
  });
  const recipients = createRecipients({
    db,
    clock: context.clock,
    currentSignIn: signIns.currentWithAccount,
    // A tenant's user has an address that was verified: a text makes none.
    isSignUpByMailOnly: core.isStrict || tenant !== null,
    hasTexts: delivery.hasTexts,
  });
  const otps = createOtps(context, {
    hasTexts: delivery.hasTexts,
    queueOtp,
    takeSms: smsGuard.take,
    calls,
    limitSubjectOf: knownBrowsers.limitSubjectOf,
    appCodes: createToldAppCodes(context, notifications),
    isComing: deliveryStatus.isComing,
    async onVerified(transaction, otp) {
      if (otp.type === 'STEP_UP') {
        return recordStepUp(transaction, otp.sign_in_id ?? '', context.clock.now());
      }
      // What a plain form's code does names its subject: a code of an earlier question does nothing (PRF-24).
      const subject = otp.subject ?? '';
      const administration = { ...context, db: transaction, notifications };
      if (otp.type === 'NEW_CONTACT') {
        const session = { userId: otp.user_id, signInId: otp.sign_in_id ?? '' };
        const change = { ...session, changeId: subject };
        return applyOwnChange(administration, transaction, change);
      }
      if (otp.type === 'RECOVERY' || otp.type === 'STAFF_CHANGE') {
        const isDone = await (otp.type === 'RECOVERY'
          ? recordOlderProof(transaction, subject, context.clock.now())
          : applyStaffChange(administration, subject, { by: 'phone' }));
        if (!isDone) throw new AppError('OTP_EXPIRED');
        return;
      }
      const amr = otp.sign_in_id ? await signIns.acceptOtp(transaction, otp.sign_in_id) : [];
      if (otp.type === 'USER_ACTIVATION') return;
      const isPasswordKnown = otp.type === 'TWOFACTORAUTHENTICATION' && amr.includes('pwd');
      if (isPasswordKnown && config.keys) await acceptShown(transaction, otp.user_id, otp.visit_id);
      const read = { contact: otp.proven, isPasswordKnown };
      const at = context.clock.now();
      const newcomer = await recordSignIn(transaction, otp.user_id, read, at);
      if (newcomer) {
        const to = { ...recipientOf(newcomer), id: newcomer.id };
        await notifications.firstSignIn(transaction, to, at);
      }
    },
  });
  const callScript = createCallScript(context, {
    subtenantOf: subtenants.shownLately,
    digitsToSay: otps.digitsToSay,
    onNews: core.recordMessage,
  });
  const savedKeys =
    config.keys &&
    createSavedKeys(context, config.keys, {
      beginWithKey: signIns.beginWithKey,
      endOthers: signIns.endOthers,
      recordStepUp,
      tellAdded: (transaction, account, key, now) =>
        notifications.accountNotice(
          transaction,
          account,
          { kind: 'keyAdded', words: { key } },
          `key-added:${account.id}:${now.getTime()}`,
        ),
      async tellCounterBack(transaction, { user_id: id, name: key, credential_id: cause }) {
        const account = await findAccount(transaction, id);
        const notice = { kind: 'keyCopied', words: { key } } as const;
        if (account)
          await notifications.accountNotice(transaction, account, notice, `key-copied:${cause}`);
      },
    });
  const givenPasswords = createGivenPasswords(context, {
    hash: hashing.hash,
    isGuessable: accounts.isGuessable,
    queueNotice: notifications.passwordChanged,
    endAccess,
  });
  const resets = createResets(context, {
    passwords: credentials.passwords,
    isGuessable: accounts.isGuessable,
    queueLink: notifications.resetLink,
    queueNotice: notifications.passwordChanged,
    removeNewWays,
    queueSuspended: notifications.suspended,
    endAccess,
    queueHelp,
    endProviderSessions,
    resetFailures: passwordCheck.resetFailures,
    wayBack: async (visit, from) => (await pendingInteractions?.wayBack(visit, from)) ?? null,
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
  const devices = createDevices(context, {
    knownBrowsers,
    notifyOwner: (transaction, account, { at, userAgent }, cause) =>
      notifications.newSignIn(
        transaction,
        recipientOf(account),
        { at, browser: browserName(userAgent) },
        cause,
      ),
  });

  const issuer = embeddedIssuer(config.publicUrl);
  const pendingInteractions =
    interactions &&
    createPendingInteractions(context, { clients, consents, interactions, signedInUser, issuer });
  return {
    identityProvider,
    signIns,
    signUps,
    captcha,
    recipients,
    otps,
    callScript,
    savedKeys,
    resets,
    cameFrom: async (visit: Visit, request: string) =>
      (await pendingInteractions?.cameFrom(visit, request)) ?? null,
    demoClient,
    isCaptchaNeeded,
    rememberBrowser,
    /** Requests of other applications; `null` where they go to a tenant. */
    oauth: interactions &&
      pendingInteractions && {
        clients,
        pendingInteractions,
        consents,
        interactions,
        issuer,
        signedInUser,
        beginAtOtp: signIns.beginAtOtp,
        secretBox: context.secretBox,
        ensureVisit: visits.ensure,
        findSubtenant: subtenants.findNamed,
        rememberSubtenant: subtenants.remember,
      },
  };

  async function signedInUser(visit: Visit): Promise<number | null> {
    const signIn = await signIns.current(visit);
    const isVerified = signIn?.stage === 'verified' || signIn?.stage === 'complete';
    return isVerified ? signIn.user_id : null;
  }

  /** Whether this visitor's next call may be asked for a proof; who signs in tells their account only then. */
  async function isCaptchaNeeded({ ip, cookies }: FastifyRequest): Promise<boolean> {
    const visit = await visits.find(cookies);
    if (visit && (await resets.hasFailed(visit))) return true;
    return captcha.isChallengeRequired(CAPTCHA_PURPOSES, ip);
  }

  async function rememberBrowser(
    { userId, isBrowserKnown: isSeenAgain }: { userId: number; isBrowserKnown: boolean },
    isShared: boolean,
    { headers }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string> {
    const device = await devices.rememberBrowser(userId, {
      cookieHeader: headers.cookie,
      setCookie: (name, value, options) => void reply.setCookie(name, value, options),
      userAgent: headers['user-agent'] ?? '',
      isSeenAgain,
      isShared,
    });
    await showAsChosen(userId, headers.cookie, reply);
    return device;
  }

  /** A browser without choices of its own takes those that travel with the account. */
  async function showAsChosen(
    userId: number,
    cookieHeader: string | undefined,
    reply: FastifyReply,
  ) {
    if (cookieHeader?.includes(`${DISPLAY_COOKIE}=`)) return;
    const account = await findAccount(db, userId);
    if (!account?.display) return;
    reply.setCookie(DISPLAY_COOKIE, account.display, {
      path: '/',
      sameSite: 'lax',
      secure: core.isHttps,
      maxAge: DISPLAY_COOKIE_SECONDS,
    });
  }
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
