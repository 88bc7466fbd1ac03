import { SignJWT } from 'jose';
import {
  LOGOUT_EVENT,
  LOGOUT_TOKEN_LIFE_MS,
  LOGOUT_TOKEN_TYPE,
} from '#domain/hand-off/logout-token.ts';
import type { ModuleId } from '#domain/people/roles.ts';
import type { ModuleConfig } from '../config/modules-file.ts';
import type { ServerContext } from '../core/context.ts';
import { randomId } from '../crypto/secret-box.ts';
import { type Fetch, postLogoutToken } from '../http/logout-call.ts';
import type { JobDefinition } from '../jobs/job.ts';
import type { NoteEnded } from '../sign-in/move-attempts.ts';
import type { HandOffKeys } from './keys.ts';

/** A notice to a module, in the words of its hand-off: `sid` is `loggenInId`, `sub` the `userId` as text. */
type SignOutNotice = {
  readonly module: ModuleId;
  readonly sid: string;
  readonly sub: string;
  readonly jti: string;
};

/** The kind of job that notifies a module of the end of a session. */
export const SIGN_OUT_NOTICE_JOB = 'moduleSignOut';

/** Queues one notice for each module with a `signOutUrl` that redeemed a hand-off of the ended sign-in. */
export function createNotifyModules(
  { outbox }: Pick<ServerContext, 'outbox'>,
  modules: readonly ModuleConfig[],
): NoteEnded {
  const told = modules.flatMap(({ id, signOutUrl }) => (signOutUrl === null ? [] : [id]));
  return async (transaction, ended) => {
    if (told.length === 0) return;
    const subjects = new Map(ended.map(({ id, user_id }) => [id, String(user_id)]));
    const redeemed = await transaction
      .selectFrom('handoffs')
      .select(['sign_in_id', 'module'])
      .distinct()
      .where('sign_in_id', 'in', [...subjects.keys()])
      .where('module', 'in', told)
      .where('redeemed_at', 'is not', null)
      .execute();
    for (const { sign_in_id: sid, module } of redeemed) {
      await outbox.add(transaction, {
        kind: SIGN_OUT_NOTICE_JOB,
        payload: { module, sid, sub: subjects.get(sid), jti: randomId() },
        idempotencyKey: `moduleSignOut:${module}:${sid}`,
      });
    }
  };
}

type Deps = {
  readonly modules: readonly ModuleConfig[];
  readonly keys: HandOffKeys;
  readonly fetch: Fetch;
};

/** Delivers the notices; the outbox retries calls that failed. */
export function signOutNoticeJob(
  { config, clock }: Pick<ServerContext, 'config' | 'clock'>,
  { modules, keys, fetch }: Deps,
): JobDefinition {
  /** Signs as for a hand-off: a module fetches only one key set. */
  async function sign({ module, sid, sub, jti }: SignOutNotice): Promise<string> {
    const [key] = await keys.current();
    if (!key) throw new Error('There is no key');
    const seconds = Math.floor(clock.now().getTime() / 1000);
    return new SignJWT({ events: { [LOGOUT_EVENT]: {} }, sid })
      .setProtectedHeader({ alg: 'ES256', typ: LOGOUT_TOKEN_TYPE, kid: key.kid })
      .setIssuer(config.publicUrl)
      .setAudience(module)
      .setSubject(sub)
      .setJti(jti)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + LOGOUT_TOKEN_LIFE_MS / 1000)
      .sign(key.privateKey);
  }

  return {
    kind: SIGN_OUT_NOTICE_JOB,
    async deliver(payload) {
      const notice = payload as unknown as SignOutNotice;
      const url = modules.find(({ id }) => id === notice.module)?.signOutUrl;
      // The operator removed the address meanwhile.
      if (!url) return;
      const isDemo = config.mode === 'demo';
      const timeoutMs = config.providerTimeoutMs;
      await postLogoutToken(url, await sign(notice), { fetch, isDemo, timeoutMs });
    },
  };
}
