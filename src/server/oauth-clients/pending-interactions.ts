import type { IncomingMessage } from 'node:http';
import type { ClientInteraction } from '#domain/visit.ts';
import { checkEmail } from '#domain/validation.ts';
import { later } from '../clock.ts';
import { AppError } from '../http/app-error.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../context.ts';
import { randomId } from '../crypto/secret-box.ts';
import type { Consents } from './consents.ts';
import type { AuthorizationInteractions, PendingInteraction } from '#openid-provider/options.ts';
import type { ClientRegistry } from './registry.ts';

/** An interaction as its screens show it, and the time that a sign-in must be later than to answer it. */
export type ShownInteraction = {
  readonly shown: ClientInteraction;
  readonly requiresSignInAfter: Date | null;
};

export type PendingInteractions = {
  /** Binds an interaction to the visit that brought it. @returns its handle, which is useless to other visits. */
  open(visit: Visit, pending: PendingInteraction, subtenantId: number | null): Promise<string>;
  /** The visit's own interaction; `null` for any other handle. */
  find(visit: Visit, id: string): Promise<ShownInteraction | null>;
  /**
   * Answers an interaction and returns where the browser continues.
   * @throws AppError REQUEST_OVER, SIGN_IN_AGAIN
   */
  answer(
    visit: Visit,
    id: string,
    kind: 'signedIn' | 'allowed' | 'denied',
    request: IncomingMessage,
  ): Promise<string>;
};

type Deps = {
  readonly clients: ClientRegistry;
  readonly consents: Consents;
  readonly interactions: AuthorizationInteractions;
  /** The user whose sign-in in this visit is verified by its code. */
  readonly signedInUser: (visit: Visit) => Promise<number | null>;
  readonly issuer: string;
};

const SEAL = 'client-request';
const AUDITED = { signedIn: 'client.signIn', allowed: 'client.allowed', denied: 'client.denied' };

/**
 * Interactions of other applications that wait for a person. They are found through the visit, never by the URL
 * alone.
 */
export function createPendingInteractions(context: ServerContext, deps: Deps): PendingInteractions {
  const { db, clock, secretBox, audit } = context;
  const { clients, consents, interactions, signedInUser, issuer } = deps;

  const ownRow = (visit: Visit, id: string) =>
    db
      .selectFrom('client_requests')
      .selectAll()
      .where('id', '=', id)
      .where('visit_id', '=', visit.id)
      .executeTakeFirst();

  async function close(id: string): Promise<void> {
    await db
      .updateTable('client_requests')
      .set({ ended_at: clock.now() })
      .where('id', '=', id)
      .execute();
  }

  return {
    async open(visit, pending, subtenantId) {
      const id = randomId();
      const now = clock.now();
      await db
        .insertInto('client_requests')
        .values({
          id,
          visit_id: visit.id,
          interaction: secretBox.encrypt(SEAL, pending.uid),
          client_id: pending.clientId,
          step: pending.step,
          is_fresh: pending.requiresReauthentication,
          scopes: [...pending.scopes],
          login_hint: asEmail(pending.loginHint),
          subtenant_id: subtenantId,
          created_at: now,
          expires_at: later(now, pending.secondsLeft * 1000),
          ended_at: null,
        })
        .execute();
      return id;
    },

    async find(visit, id) {
      const row = await ownRow(visit, id);
      const client = row && (await clients.find(row.client_id));
      if (!row || !client) return null;
      const isOver = row.ended_at !== null || row.expires_at <= clock.now();
      const shown: ClientInteraction = {
        id,
        step: isOver ? 'over' : row.step,
        clientName: client.name,
        scopes: row.scopes,
        loginHint: row.login_hint,
        startUrl: client.initiateLoginUri && startUrlOf(client.initiateLoginUri, issuer),
      };
      return { shown, requiresSignInAfter: row.is_fresh ? row.created_at : null };
    },

    async answer(visit, id, kind, request) {
      const row = await ownRow(visit, id);
      if (!row || row.ended_at !== null || row.expires_at <= clock.now()) {
        throw new AppError('REQUEST_OVER');
      }
      const userId = await signedInUser(visit);
      if (kind !== 'denied' && userId === null) throw new AppError('SIGN_IN_AGAIN');
      const uid = secretBox.decrypt(SEAL, row.interaction);
      const outcome = await interactions.answerInteraction(
        request,
        uid,
        kind === 'denied' ? { kind } : { kind, accountId: String(userId) },
      );
      if (outcome.kind === 'signInAgain') throw new AppError('SIGN_IN_AGAIN');
      await close(id);
      if (outcome.kind === 'gone') throw new AppError('REQUEST_OVER');
      if (kind === 'allowed' && userId !== null) {
        await consents.remember(userId, row.client_id, row.scopes);
      }
      const details = {
        clientId: row.client_id,
        ...(kind === 'allowed' && { scopes: row.scopes }),
      };
      await audit({ kind: AUDITED[kind], userId, visitId: visit.id, details });
      return outcome.url;
    },
  };
}

/** A login hint that is an email address; other hints are ignored. */
function asEmail(hint: string | null): string | null {
  const text = hint?.trim() ?? '';
  return checkEmail(text) === null ? text : null;
}

/** The client's own sign-in address with `iss`, by which it knows the provider (OIDC Core 4). */
function startUrlOf(initiateLoginUri: string, issuer: string): string {
  const url = new URL(initiateLoginUri);
  url.searchParams.set('iss', issuer);
  return url.href;
}
