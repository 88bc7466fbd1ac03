import type { Db } from '../../db/database.ts';
import type { ServerContext } from '../../core/context.ts';
import { randomId } from '../../crypto/secret-box.ts';
import type { AuthorizationInteractions } from '#openid-provider/options.ts';
import type { LogoutNotice, SessionEnded } from '#openid-provider/ports.ts';
import { type Fetch, postLogoutToken } from '../../http/logout-call.ts';
import type { JobDefinition } from '../../jobs/job.ts';
import type { ClientRegistry } from './registry.ts';

/** Queues one notice for each client with an address for them; never two for the same session and client. */
export type NotifyClients = (event: SessionEnded, db?: Db) => Promise<void>;

/** The kind of job that notifies a client of the end of a session. */
export const LOGOUT_NOTICE_JOB = 'logoutNotice';

/** OIDC Back-Channel Logout 1.0 by the outbox: a client that is down is notified later. */
export function createNotifyClients(
  { db, outbox }: Pick<ServerContext, 'db' | 'outbox'>,
  clients: ClientRegistry,
): NotifyClients {
  return async ({ accountId, clients: signedIn }, source = db) => {
    for (const { clientId, sid } of signedIn) {
      const client = await clients.find(clientId);
      if (!client?.backChannelLogoutUri) continue;
      const payload: LogoutNotice = { accountId, clientId, sid, jti: randomId() };
      await outbox.add(source, {
        kind: LOGOUT_NOTICE_JOB,
        payload: { ...payload },
        idempotencyKey: `logout:${clientId}:${sid}`,
      });
    }
    outbox.wake();
  };
}

type Deps = {
  readonly clients: ClientRegistry;
  /** `null` with a tenant: its clients are notified there. */
  readonly interactions: Pick<AuthorizationInteractions, 'logoutToken'> | null;
  readonly fetch: Fetch;
};

/** Delivers the notices; the outbox retries calls that failed. */
export function logoutNoticeJob(
  { config }: Pick<ServerContext, 'config'>,
  { clients, interactions, fetch }: Deps,
): JobDefinition {
  const isDemo = config.mode === 'demo';
  const timeoutMs = config.providerTimeoutMs;
  return {
    kind: LOGOUT_NOTICE_JOB,
    async deliver(payload) {
      const notice = payload as unknown as LogoutNotice;
      const uri = (await clients.find(notice.clientId))?.backChannelLogoutUri;
      const token = uri && interactions ? await interactions.logoutToken(notice) : null;
      // The client was removed meanwhile, or no longer wants notices.
      if (!uri || !token) return;
      await postLogoutToken(uri, token, { fetch, isDemo, timeoutMs });
    },
  };
}
