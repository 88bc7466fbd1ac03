import { errors, jwtVerify, SignJWT } from 'jose';
import { type RawBuilder, sql } from 'kysely';
import {
  HANDOFF_LIFE_MS,
  HANDOFF_LOOP_COUNT,
  HANDOFF_LOOP_WINDOW_MS,
  HANDOFF_TOKEN_TYPE,
  type HandoffClaims,
  handoffUrl,
} from '#domain/hand-off.ts';
import {
  carriesCredential,
  type Choice,
  type EntryPoint,
  type ModuleDestination,
  routeAfterLogin,
  routeChoice,
} from '#domain/role-routing.ts';
import type { ModuleId } from '#domain/roles.ts';
import { refusals as texts } from '#locales/en/refusals.ts';
import { fill } from '#locales/fill.ts';
import { currentRequest } from '../audit/request-context.ts';
import { later } from '../clock.ts';
import type { ModuleConfig } from '../config/config.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Session } from '../http/bind.ts';
import type { ServerContext } from '../context.ts';
import { hashToken, isSame, randomId } from '../crypto/secret-box.ts';
import type { SignedIn } from '../sign-in/signed-in.ts';
import type { HandOffKeys } from './keys.ts';

/** Who comes to a module: in the chosen role, and with those roles that the module may know. */
export type Redeemed = SignedIn & { readonly roleId: number };

export type HandOff = {
  /** A module's address with a one-time token for the chosen or only way. @throws AppError */
  issue(
    session: Session,
    input: { readonly choice: Choice | null; readonly entrance: EntryPoint },
  ): Promise<{ url: string; credentialFor: ModuleId | null }>;
  /**
   * Redeems a token once, for the module it was made for.
   * @throws AppError MODULE_UNKNOWN, HANDOFF_INVALID, CONFLICT (it was redeemed), NO_SESSION (the sign-in has ended)
   */
  redeem(authorization: string | undefined, token: string): Promise<Redeemed>;
  /** What modules verify with: also the key that signs next, and those that signed lately. */
  publicKeys(): Promise<{ keys: readonly object[] }>;
};

type Ports = {
  readonly keys: HandOffKeys;
  readonly modules: readonly ModuleConfig[];
  /** Who the caller's session is of. */
  readonly signedInOf: (session: Session) => (SignedIn & { readonly turn: string }) | null;
  /** Who came by the complete sign-in of a row that this part of a statement changes; `null` when it has ended. */
  readonly signedInBy: <Row extends object>(
    part: RawBuilder<Row>,
  ) => Promise<{ readonly cause: Row; readonly signedIn: SignedIn | null } | null>;
};

/** For the developer of a module, who has nothing else to go by. */
function whyInvalid(error: errors.JOSEError, token: string): string {
  if (error instanceof errors.JWTExpired) return texts.handOffExpired;
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
    return texts.handOffOfAnother;
  }
  const decoded = Buffer.from(token, 'base64').toString('latin1');
  const isEncoded = !token.includes('.') && decoded.split('.').length === 3;
  return isEncoded ? texts.handOffEncoded : texts.handOffInvalid;
}

/** Hands people to modules: a signed one-time token in the URL, redeemed server to server (HND-01 to HND-04). */
export function createHandOff(context: ServerContext, ports: Ports): HandOff {
  const { db, clock, config, audit } = context;
  const { keys, modules } = ports;
  const moduleOf = (id: string) => modules.find((module) => module.id === id);

  /** The server routes by its own reading of the roles; a choice is only taken where there is one to make. */
  function destinationFor(
    signedIn: SignedIn,
    entrance: EntryPoint,
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
   * One hand-off of a sign-in at a time: of parallel ones, which would all see the same count, the second waits for the
   * first, and sees that it is no longer its turn. @throws AppError HANDOFF_LOOP, NO_SESSION
   */
  async function writeDown(
    { jti, session, turn }: { jti: string; session: Session; turn: string },
    destination: ModuleDestination,
    now: Date,
  ): Promise<void> {
    const { entry, roleId, passedRoleIds } = destination;
    const { signInId, userId, visitId } = session;
    const { module } = entry;
    const noted = audit.within({
      kind: 'handoff.issued',
      userId,
      visitId,
      details: { module, roleId },
    });
    const lately = sql`(
      select count(*) from handoffs
      where sign_in_id = ${signInId} and module = ${module}
        and issued_at > ${later(now, -HANDOFF_LOOP_WINDOW_MS)}
    )`;
    const write = async (source: Db) => {
      const { rows } = await sql<{ readonly isIssued: boolean; readonly count: number }>`
        with turn as (
          update sign_ins set seen_at = seen_at
          where id = ${signInId} and xmin = ${turn}::text::xid and ${lately} < ${HANDOFF_LOOP_COUNT}
          returning id
        ), issued as (
          insert into handoffs (jti, sign_in_id, module, role_id, role_ids, issued_at, expires_at)
          select ${jti}, id, ${module}, ${roleId}, ${[...passedRoleIds]}::integer[], ${now}::timestamptz,
            ${later(now, HANDOFF_LIFE_MS)}::timestamptz from turn
          returning jti
        ), noted as (${noted.insertFrom('issued')})
        select exists (select 1 from issued) as "isIssued", ${lately} as count
      `.execute(source);
      return rows[0];
    };
    const written = await noted.run(db, write, (row) => row?.isIssued === true);
    if (written?.isIssued) return;
    if (Number(written?.count) >= HANDOFF_LOOP_COUNT) throw new AppError('HANDOFF_LOOP');
    const { rows } = await sql<{ readonly turn: string }>`
      select xmin::text as turn from sign_ins where id = ${signInId} and ended_at is null`.execute(
      db,
    );
    const [next] = rows;
    if (!next) throw new AppError('NO_SESSION');
    await writeDown({ jti, session, turn: next.turn }, destination, now);
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

  /** Tells the operator of an app that is not set up. @returns the refusal, with a reference that leads to the event */
  async function missing(session: Session, { entry, roleId }: ModuleDestination) {
    const details = { module: entry.module, roleId };
    await audit({ kind: 'handoff.moduleMissing', userId: session.userId, details });
    const reference = currentRequest()?.requestId ?? '';
    return new AppError('MODULE_MISSING', { messages: [fill(texts.moduleMissing, { reference })] });
  }

  /** HTTP Basic with the module's id and secret. */
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

  /** Only a key of our own, found by `kid`: nothing else in a token's header chooses how it is verified. */
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

  /** Whoever ends the sign-in meanwhile either finds this hand-off redeemed, and has the module told, or has ended it. */
  const markRedeemed = (jti: string, module: ModuleId, now: Date) =>
    ports.signedInBy(sql<{ readonly role_id: number; readonly role_ids: readonly number[] }>`
      update handoffs set redeemed_at = ${now}
      where jti = ${jti} and module = ${module} and redeemed_at is null and expires_at > ${now}
      returning sign_in_id, role_id, role_ids
    `);

  return {
    async publicKeys() {
      return { keys: (await keys.current()).map((key) => key.publicJwk) };
    },

    async issue(session, { choice, entrance }) {
      const signedIn = ports.signedInOf(session);
      if (!signedIn) throw new AppError('NO_SESSION');
      const destination = destinationFor(signedIn, entrance, choice);
      const module = moduleOf(destination.entry.module);
      if (!module) throw await missing(session, destination);
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
      await writeDown({ jti, session, turn: signedIn.turn }, destination, now);
      const isSealed = module.sealedTo !== null && carriesCredential(destination.roleId);
      const address = destination.entry.page === 'login' ? module.loginUrl : module.rootUrl;
      return {
        url: handoffUrl(address, token, claims),
        credentialFor: isSealed ? module.id : null,
      };
    },

    async redeem(authorization, token) {
      const module = authenticateModule(authorization);
      const jti = await readToken(token, module.id);
      const now = clock.now();
      const redeemed = await markRedeemed(jti, module.id, now);
      if (!redeemed) {
        await audit({
          kind: 'handoff.replayed',
          actor: `module:${module.id}`,
          details: { module: module.id, jti },
        });
        throw new AppError('CONFLICT');
      }
      const { cause: row, signedIn } = redeemed;
      if (!signedIn) throw new AppError('NO_SESSION');
      await audit({
        kind: 'handoff.redeemed',
        actor: `module:${module.id}`,
        userId: signedIn.userId,
        details: { module: module.id },
      });
      return {
        ...signedIn,
        roles: signedIn.roles.filter((role) => row.role_ids.includes(role.roleId)),
        roleId: row.role_id,
      };
    },
  };
}
