/** The hosted login's sessions of one account, listed and ended without a running provider (decision 126). */

import type { SessionEnded } from '#openid-provider/ports.ts';
import type { StoredPayload } from '#openid-provider/store-port.ts';
import { endAccount, endGrant, endSession } from '#openid-provider/sessions.ts';
import { EMBEDDED_CLIENT_ID } from './embedded-provider.ts';
import { createProviderStore } from './provider-store.ts';

/** A session of a browser, or an application's grant with a refresh token. Its id is no credential. */
export type HostedSession = {
  readonly id: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** Applications that signed in with it, besides the portal. */
  readonly clients: readonly string[];
};

type Authorizations = Readonly<Record<string, { readonly grantId?: string }>>;
type Times = { readonly iat?: number; readonly exp?: number };
type Session = StoredPayload &
  Times & { readonly uid: string; loginTs?: number; authorizations?: Authorizations };
type Token = StoredPayload & Times & { readonly grantId?: string; readonly clientId?: string };

const moment = (seconds = 0) => new Date(seconds * 1000);
/** The provider's library uses the machine's clock. */
const isOpen = ({ exp = Infinity }: Times) => exp * 1000 > Date.now();

/** Creates the store, on a database or in a transaction. */
export function createHostedSessions(db: Parameters<typeof createProviderStore>[0]) {
  const { payloads } = createProviderStore(db);
  const listed = async (model: string, userId: number) =>
    (await payloads.listByAccount(model, String(userId))).filter(isOpen);

  return {
    async list(userId: number): Promise<readonly HostedSession[]> {
      const sessions = (await listed('Session', userId)) as Session[];
      const ofSessions = new Set<string>();
      const rows = sessions.map(({ uid, loginTs, iat, authorizations = {} }): HostedSession => {
        for (const { grantId } of Object.values(authorizations)) ofSessions.add(grantId ?? '');
        const clients = Object.keys(authorizations)
          .filter((clientId) => clientId !== EMBEDDED_CLIENT_ID)
          .toSorted();
        return { id: uid, startedAt: moment(loginTs), seenAt: moment(iat ?? loginTs), clients };
      });
      const grants = new Map<string, HostedSession>();
      for (const { grantId = '', clientId = '', iat } of (await listed(
        'RefreshToken',
        userId,
      )) as Token[]) {
        if (ofSessions.has(grantId)) continue;
        // Each renewal is one more token of the same grant.
        const times = [moment(iat), ...timesOf(grants.get(grantId))].toSorted(
          (a, b) => a.getTime() - b.getTime(),
        );
        const [startedAt = moment(iat), seenAt = startedAt] = [times[0], times.at(-1)];
        grants.set(grantId, { id: grantId, startedAt, seenAt, clients: [clientId] });
      }
      return [...rows, ...grants.values()];
    },

    /** Ends one session, or one grant, by its id. */
    async end(id: string, sessionEnded: (event: SessionEnded) => Promise<void>): Promise<void> {
      await endSession(payloads, { sessionEnded }, id);
      await endGrant(payloads, id);
    },

    /** Ends the sign-ins of an account that wait for their next step: tickets, codes and requests. */
    endIncomplete: (userId: number) => payloads.destroyByAccount(String(userId), 'Interaction'),

    /** Ends all sessions and grants of an account. */
    endAll: (userId: number, sessionEnded: (event: SessionEnded) => Promise<void>) =>
      endAccount(payloads, { sessionEnded }, String(userId)),
  };
}

const timesOf = (row: HostedSession | undefined) => (row ? [row.startedAt, row.seenAt] : []);
