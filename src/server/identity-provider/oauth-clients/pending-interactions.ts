import type { IncomingMessage } from 'node:http';
import type { ClientInteraction } from '#domain/flow/visit.ts';
import { checkEmail } from '#domain/typed/validation.ts';
import { later } from '../../core/clock.ts';
import { AppError } from '../../http/app-error.ts';
import type { Visit } from '../../http/visit-cookie.ts';
import type { ServerContext } from '../../core/context.ts';
import { randomId } from '../../crypto/secret-box.ts';
import type { WayBack } from '../../proofs/password/reset-ports.ts';
import type { SignIns } from '../../sign-in/sign-ins.ts';
import type { Consents } from './consents.ts';
import type { AuthorizationInteractions, PendingInteraction } from '#openid-provider/options.ts';
import { type Client, type ClientRegistry, isAddressOf } from './registry.ts';

export type PendingInteractions = ReturnType<typeof createPendingInteractions>;

type Call = {
  readonly visit: Visit;
  readonly id: string;
  readonly kind: keyof typeof AUDITED;
  readonly request: IncomingMessage;
};

type Deps = {
  readonly clients: ClientRegistry;
  readonly consents: Consents;
  readonly signIns: Pick<SignIns, 'signedInUser'>;
  readonly issuer: string;
};

const SEAL = 'client-request';
const AUDITED = {
  signedIn: 'client.signIn',
  allowed: 'client.allowed',
  denied: 'client.denied',
} as const;

/**
 * Creates the store of other applications' pending interactions. They are found through the visit, never by the URL
 * alone.
 */
export function createPendingInteractions(context: ServerContext, deps: Deps) {
  const { db, clock, secretBox, audit } = context;
  const { clients, consents, signIns, issuer } = deps;

  const ownRow = (visit: Visit, id: string) =>
    db
      .selectFrom('client_requests')
      .selectAll()
      .where('id', '=', id)
      .where('visit_id', '=', visit.id)
      .executeTakeFirst();

  const isOver = (row: { readonly ended_at: Date | null; readonly expires_at: Date }) =>
    row.ended_at !== null || row.expires_at <= clock.now();

  async function close(id: string): Promise<void> {
    await db
      .updateTable('client_requests')
      .set({ ended_at: clock.now() })
      .where('id', '=', id)
      .execute();
  }

  return {
    /**
     * Binds an interaction to the visit that brought it.
     * @returns its handle, which is useless to other visits
     */
    async open(visit: Visit, pending: PendingInteraction, subtenantId: number | null) {
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

    /**
     * Returns the visit's own interaction, and the time before which a sign-in is too old for it; `null` for any other
     * handle.
     */
    async find(visit: Visit, id: string) {
      const row = await ownRow(visit, id);
      const client = row && (await clients.find(row.client_id));
      if (!row || !client) return null;
      const shown: ClientInteraction = {
        id,
        step: isOver(row) ? 'over' : row.step,
        clientName: client.name,
        scopes: row.scopes,
        loginHint: row.login_hint,
        startUrl: startUrlOf(client, row.result_url, issuer),
      };
      return { shown, requiresSignInAfter: row.is_fresh ? row.created_at : null };
    },

    /** Returns the application that sent this visit; `null` for another visit's interaction. */
    async cameFrom(visit: Visit, id: string) {
      const row = await ownRow(visit, id);
      return row ? { clientId: row.client_id, request: id, resultUrl: row.result_url } : null;
    },

    /**
     * Returns the handle by which this visit goes back: its own interaction, or in another browser a finished one with
     * the start address (decision 127). `null` for a removed client.
     */
    async wayBack(visit: Visit, { clientId, request, resultUrl }: WayBack) {
      if (!(await clients.find(clientId))) return null;
      const own = request === null ? undefined : await ownRow(visit, request);
      if (own) return own.id;
      const [id, now] = [randomId(), clock.now()];
      await db
        .insertInto('client_requests')
        .values({
          id,
          visit_id: visit.id,
          interaction: secretBox.encrypt(SEAL, ''),
          client_id: clientId,
          step: 'signIn',
          is_fresh: false,
          scopes: [],
          login_hint: null,
          subtenant_id: visit.subtenantId,
          result_url: resultUrl,
          created_at: now,
          expires_at: now,
          ended_at: now,
        })
        .execute();
      return id;
    },

    /**
     * Answers an interaction and returns the browser's next address.
     * @throws AppError REQUEST_OVER, SIGN_IN_AGAIN
     */
    async answer(
      { visit, id, kind, request }: Call,
      interactions: Pick<AuthorizationInteractions, 'answerInteraction'>,
    ) {
      const row = await ownRow(visit, id);
      if (!row || isOver(row)) throw new AppError('REQUEST_OVER');
      const userId = await signIns.signedInUser(visit);
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
      const { client_id: clientId, scopes } = row;
      const details = { clientId, ...(kind === 'allowed' && { scopes }) };
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

/**
 * Returns the start of a new sign-in: a ticket's address, while it is registered, or the client's own (OIDC Core 4).
 */
function startUrlOf(client: Client, resultUrl: string | null, issuer: string): string | null {
  if (resultUrl !== null && isAddressOf(client, resultUrl)) return resultUrl;
  if (!client.initiateLoginUri) return null;
  const url = new URL(client.initiateLoginUri);
  // Identifies the provider for the client.
  url.searchParams.set('iss', issuer);
  return url.href;
}
