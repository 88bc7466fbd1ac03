import { errors, jwtVerify, SignJWT } from 'jose';
import {
  HANDOFF_LIFE_MS,
  HANDOFF_LOOP_COUNT,
  HANDOFF_LOOP_WINDOW_MS,
  HANDOFF_TOKEN_TYPE,
  type HandoffClaims,
  handoffUrl,
} from '#domain/hand-off/hand-off.ts';
import {
  carriesCredential,
  type Choice,
  type Entrance,
  type ModuleDestination,
  routeAfterLogin,
  routeChoice,
} from '#domain/people/role-routing.ts';
import type { ModuleId } from '#domain/people/roles.ts';
import { refusals as texts } from '#texts/refusals.ts';
import { fill } from '#locales/fill.ts';
import { currentRequest } from '../audit/request-context.ts';
import { later } from '../core/clock.ts';
import type { ModuleConfig } from '../config/modules-file.ts';
import { AppError } from '../http/app-error.ts';
import type { Session } from '../http/bind.ts';
import type { ServerContext } from '../core/context.ts';
import { hashToken, isSame, randomId } from '../crypto/secret-box.ts';
import type { SignedIn } from '../sign-in/signed-in.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import type { HandOffKeys } from './keys.ts';

export type HandOff = ReturnType<typeof createHandOff>;

type Wanted = {
  readonly choice: Choice | null;
  readonly entrance: Entrance;
  /** Modules that this browser does not get, because it is a shared device. */
  readonly closedModules: readonly ModuleId[];
  /** The person was asked for the password that the module wants. */
  readonly isAsked: boolean;
};

type Ports = {
  readonly keys: HandOffKeys;
  readonly modules: readonly ModuleConfig[];
  readonly signIns: Pick<SignIns, 'signedInOf' | 'lockSignedIn'>;
};

/** Returns the reason for the developer of a module, who has no other information. */
function whyInvalid(error: errors.JOSEError, token: string): string {
  if (error instanceof errors.JWTExpired) return texts.handOffExpired;
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
    return texts.handOffOfAnother;
  }
  const decoded = Buffer.from(token, 'base64').toString('latin1');
  const isEncoded = !token.includes('.') && decoded.split('.').length === 3;
  return isEncoded ? texts.handOffEncoded : texts.handOffInvalid;
}

/**
 * Creates the hand-off to modules: a signed one-time token in the URL, redeemed server to server (HND-01 to HND-04).
 */
export function createHandOff(context: ServerContext, ports: Ports) {
  const { db, clock, config, audit } = context;
  const { keys, modules, signIns } = ports;
  const moduleOf = (id: string) => modules.find((module) => module.id === id);

  /** Routes by the server's own reading of the roles; a choice is accepted only where there are several. */
  function destinationFor(
    signedIn: SignedIn,
    entrance: Entrance,
    choice: Choice | null,
  ): ModuleDestination {
    const roleIds = signedIn.roles.map((role) => role.roleId);
    const routed = routeAfterLogin(roleIds, entrance);
    if (routed.kind === 'module' && choice === null) return routed;
    const chosen = routed.kind === 'selectRole' && choice ? routeChoice(roleIds, choice) : null;
    if (!chosen) throw new AppError('HANDOFF_REFUSED');
    return chosen;
  }

  /**
   * Stores a hand-off. One of a sign-in at a time: parallel ones would all read the same count.
   * @throws AppError HANDOFF_LOOP, NO_SESSION
   */
  async function keep(
    jti: string,
    { signInId, userId, visitId }: Session,
    { entry, roleId, passedRoleIds }: ModuleDestination,
    now: Date,
  ): Promise<void> {
    const { module } = entry;
    await db.transaction().execute(async (transaction) => {
      if (!(await signIns.lockSignedIn(transaction, signInId))) throw new AppError('NO_SESSION');
      const { count } = await transaction
        .selectFrom('handoffs')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('sign_in_id', '=', signInId)
        .where('module', '=', module)
        .where('issued_at', '>', later(now, -HANDOFF_LOOP_WINDOW_MS))
        .executeTakeFirstOrThrow();
      if (Number(count) >= HANDOFF_LOOP_COUNT) throw new AppError('HANDOFF_LOOP');
      await transaction
        .insertInto('handoffs')
        .values({
          jti,
          sign_in_id: signInId,
          module,
          role_id: roleId,
          role_ids: [...passedRoleIds],
          issued_at: now,
          expires_at: later(now, HANDOFF_LIFE_MS),
        })
        .execute();
      const details = { module, roleId };
      await audit({ kind: 'handoff.issued', userId, visitId, details }, transaction);
    });
  }

  async function sign(claims: HandoffClaims, module: ModuleId, jti: string, now: Date) {
    const seconds = Math.floor(now.getTime() / 1000);
    const [key] = await keys.current();
    if (!key) throw new AppError('UNAVAILABLE');
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: HANDOFF_TOKEN_TYPE, kid: key.kid })
      .setIssuer(config.publicUrl)
      .setAudience(module)
      .setSubject(String(claims.userId))
      .setJti(jti)
      .setIssuedAt(seconds)
      .setNotBefore(seconds)
      .setExpirationTime(seconds + HANDOFF_LIFE_MS / 1000)
      .sign(key.privateKey);
  }

  /**
   * Records an app that is not set up, for the operator.
   * @returns the refusal, with a reference that leads to the event
   */
  async function missing(session: Session, { entry, roleId }: ModuleDestination) {
    const details = { module: entry.module, roleId };
    await audit({ kind: 'handoff.moduleMissing', userId: session.userId, details });
    const reference = currentRequest()?.requestId ?? '';
    return new AppError('MODULE_MISSING', { messages: [fill(texts.moduleMissing, { reference })] });
  }

  /** Returns the module of an HTTP Basic header with its id and secret. */
  function authenticateModule(authorization: string | undefined): ModuleConfig {
    const encoded = /^Basic (.+)$/.exec(authorization ?? '')?.[1] ?? '';
    // RFC 7617, 2: the first colon ends the id, and a secret may have more of them.
    const [, id = '', secret = ''] =
      /^([^:]*):([^]*)$/.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
    const module = moduleOf(id);
    if (!module?.secretHash || !isSame(hashToken(secret), module.secretHash)) {
      throw new AppError('MODULE_UNKNOWN');
    }
    return module;
  }

  /** Uses only a key of our own, found by `kid`: nothing else in a token's header affects its verification. */
  async function publicKeyOf({ kid }: { kid?: string }) {
    const known = (await keys.current()).find((key) => key.kid === kid);
    if (!known) throw new errors.JWKSNoMatchingKey();
    return known.publicKey;
  }

  async function readToken(token: string, audience: ModuleId): Promise<string> {
    try {
      const { payload } = await jwtVerify(token, publicKeyOf, {
        algorithms: ['ES256'],
        typ: HANDOFF_TOKEN_TYPE,
        issuer: config.publicUrl,
        audience,
        currentDate: clock.now(),
        maxTokenAge: HANDOFF_LIFE_MS / 1000,
        requiredClaims: ['exp', 'sub', 'jti'],
      });
      return String(payload.jti);
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      throw new AppError('HANDOFF_INVALID', { messages: [whyInvalid(error, token)] });
    }
  }

  /** A concurrent end of the sign-in either finds this hand-off redeemed, and notifies the module, or has ended it. */
  const markRedeemed = (jti: string, module: ModuleId, now: Date) =>
    db.transaction().execute(async (transaction) => {
      const row = await transaction
        .updateTable('handoffs')
        .set({ redeemed_at: now })
        .where('jti', '=', jti)
        .where('module', '=', module)
        .where('redeemed_at', 'is', null)
        .where('expires_at', '>', now)
        .returning(['sign_in_id', 'role_id', 'role_ids'])
        .executeTakeFirst();
      return row && { row, signedIn: await signIns.lockSignedIn(transaction, row.sign_in_id) };
    });

  return {
    /** Returns the keys for modules, with the next signing key and the recent ones. */
    async publicKeys() {
      return { keys: (await keys.current()).map((key) => key.publicJwk) };
    },

    /**
     * Returns a module's address with a one-time token for the chosen or only destination.
     * @throws AppError NOT_SHARED; PASSWORD_WANTED after a sign-in without one, where the module takes its sealed copy
     */
    async issue(session: Session, { choice, entrance, closedModules, isAsked }: Wanted) {
      const signedIn = signIns.signedInOf(session);
      if (!signedIn) throw new AppError('NO_SESSION');
      const destination = destinationFor(signedIn, entrance, choice);
      if (closedModules.includes(destination.entry.module)) throw new AppError('NOT_SHARED');
      const module = moduleOf(destination.entry.module);
      if (!module) throw await missing(session, destination);
      // After a passkey a module that knows only codes gets one: the person is asked for it.
      if (!module.accepts.some((factor) => signedIn.amr.includes(factor))) {
        throw new AppError('OTP_REQUIRED');
      }
      const isSealed = module.sealedTo !== null && carriesCredential(destination.roleId);
      if (isSealed && !isAsked && !signedIn.amr.includes('pwd')) {
        throw new AppError('PASSWORD_WANTED');
      }
      const now = clock.now();
      const jti = randomId();
      const claims: HandoffClaims = {
        appState: session.appState,
        userId: session.userId,
        roleId: destination.roleId,
        loggenInId: session.signInId,
        roleIds: destination.passedRoleIds,
        subtenantId: signedIn.subtenantId,
        amr: signedIn.amr,
        auth_time: Math.floor(signedIn.authTime.getTime() / 1000),
      };
      const token = await sign(claims, module.id, jti, now);
      await keep(jti, session, destination, now);
      const address = destination.entry.page === 'login' ? module.loginUrl : module.rootUrl;
      const credentialFor = isSealed ? module.id : null;
      return { url: handoffUrl(address, token, claims), credentialFor };
    },

    /**
     * Redeems a token once, for its own module.
     * @returns the person in the chosen role, with those roles that the module may know
     * @throws AppError MODULE_UNKNOWN, HANDOFF_INVALID, CONFLICT (it was redeemed), NO_SESSION (the sign-in has ended)
     */
    async redeem(authorization: string | undefined, token: string) {
      const module = authenticateModule(authorization);
      const jti = await readToken(token, module.id);
      const now = clock.now();
      const redeemed = await markRedeemed(jti, module.id, now);
      const actor = `module:${module.id}`;
      if (!redeemed) {
        await audit({ kind: 'handoff.replayed', actor, details: { module: module.id, jti } });
        throw new AppError('CONFLICT');
      }
      const { row, signedIn } = redeemed;
      if (!signedIn) throw new AppError('NO_SESSION');
      const { userId } = signedIn;
      await audit({ kind: 'handoff.redeemed', actor, userId, details: { module: module.id } });
      return {
        ...signedIn,
        roles: signedIn.roles.filter((role) => row.role_ids.includes(role.roleId)),
        roleId: row.role_id,
      };
    },
  };
}
