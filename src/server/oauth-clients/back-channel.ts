import { isWebAddress } from '../config/client-file.ts';
import type { Db } from '../db/database.ts';
import type { ServerContext } from '../context.ts';
import { randomId } from '../crypto/secret-box.ts';
import type { AuthorizationInteractions } from '#openid-provider/options.ts';
import type { LogoutNotice, SessionEnded } from '#openid-provider/ports.ts';
import type { JobDefinition } from '../jobs/outbox.ts';
import type { ClientRegistry } from './registry.ts';

type Fetch = (url: string, init: object) => Promise<Response>;

export type BackChannel = {
  /** Queues one notice for each client that wants them; never two for the same session and client. */
  sessionEnded(event: SessionEnded, db?: Db): Promise<void>;
  /** Delivers a notice; the outbox retries failed calls. */
  readonly job: JobDefinition;
};

const LOGOUT_NOTICE_JOB = 'logoutNotice';
/** Security R34. */
const TIMEOUT_MS = 5000;

/** OIDC Back-Channel Logout 1.0 by the outbox: a client that is down is notified later. */
export function createBackChannel(
  { db, config, outbox }: ServerContext,
  deps: {
    readonly clients: ClientRegistry;
    readonly logoutToken: AuthorizationInteractions['logoutToken'];
    readonly fetch: Fetch;
  },
): BackChannel {
  const { clients, logoutToken } = deps;
  const rules = { isDemo: config.mode === 'demo' };

  return {
    async sessionEnded({ accountId, clients: told }, source = db) {
      for (const { clientId, sid } of told) {
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
    },

    job: {
      kind: LOGOUT_NOTICE_JOB,
      async deliver(payload) {
        const notice = payload as unknown as LogoutNotice;
        const uri = (await clients.find(notice.clientId))?.backChannelLogoutUri;
        const token = uri ? await logoutToken(notice) : null;
        // The client was removed meanwhile, or no longer wants notices.
        if (!uri || !token) return;
        if (!isWebAddress(uri, rules)) throw new Error('The address is not one that may be called');
        const response = await deps.fetch(uri, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ logout_token: token }).toString(),
          // Calls the registered address only.
          redirect: 'manual',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        await response.body?.cancel();
        if (response.status !== 200 && response.status !== 204) {
          throw new Error(`The client answered ${response.status}`);
        }
      },
    },
  };
}
