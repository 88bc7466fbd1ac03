import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAdapter } from '#openid-provider/adapter.ts';
import type { StoredRecord } from '#openid-provider/store-port.ts';
import { hashedId } from '#openid-provider/hashed-id.ts';
import { openTestDatabase } from '#openid-provider/testing/database.ts';
import { fixedClients } from '#openid-provider/testing/fixed-clients.ts';
import { createProviderStore } from './provider-store.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const database = closeAtEnd(await openTestDatabase());
const store = createProviderStore(database.db);

const LATER = new Date(Date.now() + 60_000);

function record(id: string, extra: Partial<StoredRecord> = {}): StoredRecord {
  return {
    model: 'AuthorizationCode',
    id,
    payload: { scope: 'openid', nested: { list: [1, 'two'] } },
    grantId: null,
    uid: null,
    userCode: null,
    accountId: 'mary',
    secondsToLive: 60,
    ...extra,
  };
}

describe('payloads', () => {
  test('come back as they went in, by id, uid and user code', async () => {
    const { payloads } = store;
    await payloads.save([{ record: record('a', { uid: 'u1', userCode: 'c1' }), isUpdate: false }]);
    const expected = {
      id: 'a',
      payload: { scope: 'openid', nested: { list: [1, 'two'] } },
      consumed: null,
      consumedAgoMs: null,
    };
    expect(await payloads.find('AuthorizationCode', 'a')).toEqual(expected);
    expect(await payloads.findByUid('AuthorizationCode', 'u1')).toEqual(expected);
    expect(await payloads.findByUserCode('AuthorizationCode', 'c1')).toEqual(expected);
    expect(await payloads.find('Session', 'a')).toBeNull();
  });

  test('what is saved replaces; an update changes a row but never makes one', async () => {
    const { payloads } = store;
    await payloads.save([{ record: record('b'), isUpdate: false }]);
    await payloads.save([{ record: record('b', { payload: { n: 2 } }), isUpdate: false }]);
    await payloads.save([{ record: record('b', { payload: { n: 3 } }), isUpdate: true }]);
    expect((await payloads.find('AuthorizationCode', 'b'))?.payload).toEqual({ n: 3 });
    await payloads.destroy('AuthorizationCode', 'b');
    await payloads.save([{ record: record('b'), isUpdate: true }]);
    expect(await payloads.find('AuthorizationCode', 'b')).toBeNull();
  });

  test('of many that consume at once, one does', async () => {
    await store.payloads.save([{ record: record('c'), isUpdate: false }]);
    const won = await Promise.all(
      Array.from({ length: 8 }, () => store.payloads.consume('AuthorizationCode', 'c')),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    expect((await store.payloads.find('AuthorizationCode', 'c'))?.consumed).toBeGreaterThan(
      1_700_000_000,
    );
    expect(await store.payloads.consume('AuthorizationCode', 'none')).toBe(false);
  });

  test('a grant takes its tokens of one model, an account takes everything it has', async () => {
    const { payloads, tickets } = store;
    await payloads.save([{ record: record('d', { grantId: 'g1' }), isUpdate: false }]);
    await payloads.save([
      { record: record('e', { grantId: 'g1', model: 'AccessToken' }), isUpdate: false },
    ]);
    await payloads.revokeByGrantId('AccessToken', 'g1');
    expect(await payloads.find('AccessToken', 'e')).toBeNull();
    expect(await payloads.find('AuthorizationCode', 'd')).not.toBeNull();
    await payloads.save([{ record: record('f', { accountId: 'peter' }), isUpdate: false }]);
    await tickets.add({
      hash: 'h0',
      accountId: 'mary',
      clientId: 'p',
      coIdHash: 'x',
      amr: 'pwd',
      expiresAt: LATER,
    });
    await payloads.destroyByAccount('mary');
    expect(await payloads.find('AuthorizationCode', 'd')).toBeNull();
    expect(await tickets.take('h0')).toBeNull();
    expect(await payloads.find('AuthorizationCode', 'f')).not.toBeNull();
  });
});

test('of many that take a ticket at once, one gets it', async () => {
  const ticket = {
    hash: 'h1',
    accountId: 'mary',
    clientId: 'p',
    coIdHash: 'x',
    amr: 'pwd',
    expiresAt: LATER,
  };
  await store.tickets.add(ticket);
  const taken = await Promise.all(Array.from({ length: 8 }, () => store.tickets.take('h1')));
  expect(taken.filter(Boolean)).toEqual([ticket]);
});

test('the hot statements use their indexes', async () => {
  await database.query(
    `INSERT INTO hosted_payloads (model, id, payload, uid, grant_id, account_id)
     SELECT 'Session', 's' || n, '{}', 'u' || n, 'g' || n, 'a' || n FROM generate_series(1, 5000) n`,
  );
  await database.query('ANALYZE hosted_payloads');
  const where = [
    "model = 'Session' AND id = 's7'",
    "model = 'Session' AND uid = 'u7'",
    "model = 'Session' AND grant_id = 'g7'",
    "account_id = 'a7'",
  ];
  for (const condition of where) {
    const plan = await database.query(
      `EXPLAIN SELECT payload FROM hosted_payloads WHERE ${condition}`,
    );
    expect([condition, JSON.stringify(plan)]).toEqual([
      condition,
      expect.not.stringContaining('Seq Scan'),
    ]);
  }
});

describe('[R44] [SEC-07] the database judges what has expired', () => {
  const HOURS = 60 * 60 * 1000;
  const model = 'AuthorizationCode';
  const codes = () => createAdapter(store.payloads, fixedClients([]))(model);
  const leftOf = async (id: string) => {
    const rows = await database.query(
      `SELECT extract(epoch from expires_at - clock_timestamp())::float8 AS left
       FROM hosted_payloads WHERE id = '${hashedId(model, id)}'`,
    );
    return Number((rows as { left: number }[])[0]?.left);
  };
  afterEach(() => vi.useRealTimers());

  test.each([-2 * HOURS, 0, 2 * HOURS])(
    'what a machine writes that is off by %d ms lives for as long as it should',
    async (offMs) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offMs });
      await codes().upsert(`written-${offMs}`, { kind: model }, 3600);
      const left = await leftOf(`written-${offMs}`);
      expect(left).toBeGreaterThan(3000);
      expect(left).toBeLessThanOrEqual(3600);
    },
  );

  test('what has expired is not found, however far a machine is behind', async () => {
    await codes().upsert('old', { kind: model, uid: 'old-uid', userCode: 'old-code' }, 60);
    await codes().upsert('for-ever', { kind: model });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * HOURS });
    expect(await codes().find('old')).toBeDefined();
    await database.query(
      `UPDATE hosted_payloads SET expires_at = clock_timestamp() - interval '1 second'
       WHERE id = '${hashedId(model, 'old')}'`,
    );
    expect(await codes().find('old')).toBeUndefined();
    expect(await codes().findByUid('old-uid')).toBeUndefined();
    expect(await codes().findByUserCode('old-code')).toBeUndefined();
    expect(await codes().find('for-ever')).toBeDefined();
  });
});

describe('[PRF-10] what a session and a code are judged by is read with them', () => {
  const expired = async (model: string, ...ids: string[]) => {
    for (const id of ids) {
      await database.query(
        `UPDATE hosted_payloads SET expires_at = clock_timestamp() - interval '1 second'
         WHERE model = $1 AND id = $2`,
        [model, id],
      );
    }
  };
  const save = (...records: readonly StoredRecord[]) =>
    store.payloads.save(records.map((each) => ({ record: each, isUpdate: false })));

  beforeEach(async () => {
    const authorizations = { app: { grantId: 'app-grant' }, other: { grantId: 'other-grant' } };
    await save(
      record('session', { model: 'Session', uid: 'uid', payload: { authorizations } }),
      record('app-grant', { model: 'Grant', payload: { of: 'app' } }),
      record('other-grant', { model: 'Grant', payload: { of: 'other' } }),
      record('code', { payload: { sessionUid: 'uid' }, grantId: 'app-grant' }),
    );
  });

  test("a session comes with the grant of the client that asks, and with nobody else's", async () => {
    const { payloads } = store;
    const grantFor = async (client: string) =>
      (await payloads.findSession('session', client))?.grant?.payload;
    expect(await grantFor('app')).toEqual({ of: 'app' });
    expect(await grantFor('other')).toEqual({ of: 'other' });
    expect(await grantFor('stranger')).toBeUndefined();
    expect((await payloads.findSession('session', 'stranger'))?.session.id).toBe('session');
    await expired('Grant', 'app-grant');
    expect(await grantFor('app')).toBeUndefined();
    await expired('Session', 'session');
    expect(await payloads.findSession('session', 'other')).toBeNull();
    expect(await payloads.findSession('nobody', 'other')).toBeNull();
  });

  test('a code comes with its session and its grant, each as long as it lives', async () => {
    const { payloads } = store;
    const ids = async () => {
      const { code, session, grant } = (await payloads.findCode('code')) ?? {};
      return [code?.id, session?.id, grant?.id];
    };
    expect(await ids()).toEqual(['code', 'session', 'app-grant']);
    await payloads.consume('AuthorizationCode', 'code');
    expect((await payloads.findCode('code'))?.code.consumed).not.toBeNull();
    await expired('Session', 'session');
    expect(await ids()).toEqual(['code', undefined, 'app-grant']);
    await expired('Grant', 'app-grant');
    expect(await ids()).toEqual(['code', undefined, undefined]);
    await expired('AuthorizationCode', 'code');
    expect(await payloads.findCode('code')).toBeNull();
  });
});

test('[R27] a refresh token that is saved late stays used, and as it was', async () => {
  const model = 'RefreshToken';
  const tokens = createAdapter(store.payloads, fixedClients([]))(model);
  await tokens.upsert('late', { kind: model, scope: 'openid' }, 60);
  await tokens.consume('late');
  await tokens.upsert('late', { kind: model, scope: 'openid email' }, 60);
  const found = await store.payloads.find(model, hashedId(model, 'late'));
  expect(found?.consumed).not.toBeNull();
  expect(found?.payload).toMatchObject({ scope: 'openid' });
});
