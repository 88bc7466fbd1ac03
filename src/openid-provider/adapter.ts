/** oidc-provider's storage adapter over our store. Ids that are bearer secrets are hashed. */

import { isDeepStrictEqual } from 'node:util';
import { errors, Provider } from 'oidc-provider';
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { PasswordGiven } from './auth0/login-ticket.ts';
import { createClientAdapter } from './clients.ts';
import type { ClientSource } from './client-port.ts';
import type {
  FoundRecord,
  ProviderStore,
  RecordToSave,
  StoredPayload,
  StoredRecord,
} from './store-port.ts';
import { createRefreshTokenStorage, REFRESH_TOKEN } from './refresh-rotation.ts';
import { hashedId } from './hashed-id.ts';
import { claimsKey, keepAhead, takeAhead } from './read-ahead.ts';

/** Whether an id is a bearer secret. A grant's id never leaves the server; tokens refer to it. */
const isBearer = (model: string): boolean => model !== 'Grant';

function toPayload(found: FoundRecord, id: string, consumed: number | null): AdapterPayload {
  return {
    ...found.payload,
    jti: id,
    ...(consumed !== null && { consumed }),
  } as AdapterPayload;
}

function toRecord(
  model: string,
  id: string,
  payload: AdapterPayload,
  expiresIn: number | undefined,
): StoredRecord {
  const { jti, ...rest } = payload;
  return {
    model,
    id,
    payload: (isBearer(model) ? rest : { ...rest, jti }) as StoredPayload,
    grantId: payload.grantId ?? null,
    uid: payload.uid ?? null,
    userCode: payload.userCode ?? null,
    accountId: payload.accountId ?? accountOfPassword(payload),
    secondsToLive: expiresIn ?? null,
  };
}

/** Returns the account whose right password a waiting request carries: it ends when that password is replaced. */
const accountOfPassword = ({ prompt }: AdapterPayload): string | null =>
  (prompt?.details as { passwordGiven?: PasswordGiven } | undefined)?.passwordGiven?.accountId ??
  null;

/** Sessions as the current request has read them. */
function createReadMarks() {
  const read = new WeakMap<object, Map<string, StoredPayload>>();
  return {
    mark(id: string, payload: StoredPayload): void {
      const request = Provider.ctx;
      if (request) read.set(request, (read.get(request) ?? new Map()).set(id, payload));
    },
    get(id: string): StoredPayload | undefined {
      const request = Provider.ctx;
      return request ? read.get(request)?.get(id) : undefined;
    },
  };
}

/** Seconds. A shorter extension of the idle limit of half an hour is not worth a write (performance S5). */
const SLIDE_SECONDS = 60;

function isSameButForTime(before: StoredPayload, after: StoredPayload): boolean {
  if (Number(after.exp) - Number(before.exp) >= SLIDE_SECONDS) return false;
  return isDeepStrictEqual({ ...before, exp: 0 }, { ...after, exp: 0 });
}

type Store = ProviderStore['payloads'];

/** The last state of each record that a request has to save, by model and id. */
const toSave = new WeakMap<object, Map<string, RecordToSave>>();

/**
 * Runs an authorization request and saves its records in one statement at its end, before the response (decision 129).
 * Tokens are saved at once: a delayed save would restore them after a password reset. Here a session that was ended
 * meanwhile stays so, and its codes are useless.
 */
export async function savingAtOnce(store: Store, ctx: object, next: () => Promise<void>) {
  toSave.set(ctx, new Map());
  try {
    await next();
    await saveNow(store, ctx);
  } finally {
    toSave.delete(ctx);
  }
}

const waiting = (request: object | undefined = Provider.ctx) => request && toSave.get(request);

/** Saves at once outside of a request, which has no later point for it. */
async function saveLater(store: Store, each: RecordToSave): Promise<void> {
  const records = waiting();
  if (!records) return store.save([each]);
  const { model, id } = each.record;
  const isUpdate = each.isUpdate && records.get(`${model}:${id}`)?.isUpdate !== false;
  records.set(`${model}:${id}`, { ...each, isUpdate });
}

async function saveNow(store: Store, request?: object): Promise<void> {
  const records = waiting(request);
  if (!records || records.size === 0) return;
  const all = [...records.values()];
  records.clear();
  await store.save(all);
}

/**
 * Creates the reader of a request. It reads a code, or the session of an authorization request, together with the rows
 * that decide on it.
 */
function createReader(store: Store): Pick<Store, 'find' | 'findByUid'> {
  async function findCode(id: string): Promise<FoundRecord | null> {
    const found = await store.findCode(id);
    if (!found) return null;
    const { code, session, grant, claims } = found;
    if (session) keepAhead(`Session:uid:${String(code.payload.sessionUid)}`, session);
    if (grant) keepAhead(`Grant:${grant.id}`, grant);
    if (claims !== undefined) keepAhead(claimsKey(String(code.payload.accountId)), claims);
    return code;
  }

  async function findSession(id: string, clientId: string): Promise<FoundRecord | null> {
    const found = await store.findSession(id, clientId);
    if (!found) return null;
    const { session, grant, claims } = found;
    if (grant) keepAhead(`Grant:${grant.id}`, grant);
    if (claims !== undefined) keepAhead(claimsKey(String(session.payload.accountId)), claims);
    return session;
  }

  return {
    async find(model, id) {
      const request = Provider.ctx;
      if (waiting()?.has(`${model}:${id}`)) await saveNow(store);
      if (request && model === 'AuthorizationCode') return findCode(id);
      const clientId = request?.query.client_id;
      if (waiting() && model === 'Session' && typeof clientId === 'string') {
        return findSession(id, clientId);
      }
      return takeAhead<FoundRecord>(`${model}:${id}`) ?? store.find(model, id);
    },
    async findByUid(model, uid) {
      if (waiting()?.size) await saveNow(store);
      return takeAhead<FoundRecord>(`${model}:uid:${uid}`) ?? store.findByUid(model, uid);
    },
  };
}

/** Creates the storage adapter of one model, as oidc-provider calls it. */
export function createAdapter(store: Store, clients: ClientSource): AdapterFactory {
  const refreshTokens = createRefreshTokenStorage(store);
  const reader = createReader(store);
  return (model: string): Adapter => {
    if (model === 'Client') return createClientAdapter(clients) as Adapter;
    const isRefreshToken = model === REFRESH_TOKEN;
    const stored = (id: string): string => (isBearer(model) ? hashedId(model, id) : id);
    const readHere = createReadMarks();
    const payloadOf = (found: FoundRecord, id: string): AdapterPayload =>
      toPayload(found, id, isRefreshToken ? refreshTokens.consumedAt(found) : found.consumed);
    async function insertOnce(record: StoredRecord): Promise<void> {
      if (await store.insert(record)) return;
      if (Provider.ctx?.oidc.body?.client_assertion === undefined) {
        throw new errors.InvalidDpopProof('DPoP proof JWT Replay detected');
      }
      throw new errors.InvalidClientAuth('client assertion tokens must only be used once');
    }
    return {
      async upsert(id, payload, expiresIn) {
        const record = toRecord(model, stored(id), payload, expiresIn);
        // oidc-provider saves a session at the end of each request. That save must not restore a session that a reset
        // or a new sign-in has deleted meanwhile.
        const before = model === 'Session' ? readHere.get(id) : undefined;
        // oidc-provider looks the `jti` up first and saves it later; of two concurrent requests only one may save it.
        if (model === 'ReplayDetection') return insertOnce(record);
        if (isRefreshToken) await refreshTokens.save(record);
        else if (!before || !isSameButForTime(before, record.payload)) {
          await saveLater(store, { record, isUpdate: before !== undefined });
        }
      },
      async find(id) {
        const found = await reader.find(model, stored(id));
        if (!found) return undefined;
        // A copy: oidc-provider changes nested parts of the payload, such as a second client's grant.
        if (model === 'Session') readHere.mark(id, structuredClone(found.payload));
        return payloadOf(found, id);
      },
      async findByUid(uid) {
        const found = await reader.findByUid(model, uid);
        return found ? payloadOf(found, found.id) : undefined;
      },
      async findByUserCode(userCode) {
        const found = await store.findByUserCode(model, userCode);
        return found ? payloadOf(found, found.id) : undefined;
      },
      async consume(id) {
        if (isRefreshToken) return refreshTokens.consume(stored(id));
        // oidc-provider reads first and consumes later; of two concurrent requests only one may pass (RFC 6749, 4.1.2).
        if (!(await store.consume(model, stored(id))))
          throw new errors.InvalidGrant('already consumed');
      },
      async destroy(id) {
        await saveNow(store);
        await store.destroy(model, stored(id));
      },
      async revokeByGrantId(grantId) {
        await saveNow(store);
        await store.revokeByGrantId(model, grantId);
      },
    };
  };
}
