/** The currentKeys of keys and the configured secret: rotated beside a running server, by command and by age. */

import { decodeProtectedHeader } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '#domain/text/duration.ts';
import { createHandOffKeys } from '../hand-off/keys.ts';
import { createSecretBox } from './secret-box.ts';
import { createTestApp, type Visitor, type TestApp } from '../testing/test-app.ts';
import { operate } from '../testing/operate.ts';
import { createSigningKeyStore } from './signing-key-store.ts';
import { later } from '../core/clock.ts';
import { openSigningKeys } from './signing-keys.ts';
import { HURRY_MS, KEY_USES } from './rotation-schedule.ts';

let testApp: TestApp;
beforeEach(async () => {
  testApp = await createTestApp({ limitFactor: 50 });
});
afterEach(() => testApp.close());

const DAY = 24 * 60 * 60;
const HURRY = HURRY_MS / 1000;

/** Kinds of events that commands left. */
const noted: string[] = [];

function deps(secret = testApp.config.secret, previous: readonly string[] = []) {
  const { db, clock, config } = testApp;
  const audit = async ({ kind }: { readonly kind: string }) => void noted.push(kind);
  return { db, clock, config, audit, secretBox: createSecretBox(secret, previous) };
}

const command = (...args: string[]) => operate(deps(), 'keys', ...args);
const current = () => KEY_USES.map((use) => testApp.app.keys.current(use)[0]?.kid);

async function publishedBy(path: string): Promise<string[]> {
  const { keys } = (await (await fetch(`${testApp.url}${path}`)).json()) as {
    keys: Record<string, string>[];
  };
  expect(keys.some((key) => 'd' in key || 'k' in key)).toBe(false);
  return keys.map((key) => key.kid ?? '');
}

async function published() {
  return {
    hosted: await publishedBy('/idp/.well-known/jwks.json'),
    handOff: await publishedBy('/api/Handoff/Keys'),
  };
}

async function handOffOf(visitor: Visitor) {
  const { data } = await visitor.call('issueHandoff', {
    body: { choice: null, entrance: 'portal' },
  });
  const url = new URL(data?.url ?? '');
  const token = Buffer.from(url.searchParams.get('token') ?? '', 'base64').toString('utf8');
  return { url: url.href, kid: decodeProtectedHeader(token).kid };
}

describe('[R30] rotation by command', () => {
  test('the next key is published for a day, signs, and the old one verifies on', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const old = current();
    await command('rotate');
    await testApp.app.keys.refresh();
    expect(current()).toEqual(old);
    expect((await published()).hosted).toHaveLength(4);
    expect((await published()).handOff).toHaveLength(2);

    // Issued before the change, received after it.
    await command('rotate', '--now');
    await testApp.app.keys.refresh();
    testApp.clock.advance(HURRY - 6);
    await testApp.app.keys.refresh();
    expect(current()).toEqual(old);
    const last = await handOffOf(visitor);
    testApp.clock.advance(6);
    await testApp.app.keys.refresh();
    expect(current().filter((kid) => old.includes(kid))).toEqual([]);
    expect(last.kid).toBe(old[3]);
    expect((await visitor.request(last.url)).status).toBe(303);
    expect((await handOffOf(visitor)).kid).toBe(current()[3]);

    // Nobody was signed out: the session of before answers a silent check signed by the new key.
    await visitor.complete();
    expect((await published()).hosted).toHaveLength(4);
    testApp.clock.advance(2 * DAY);
    await testApp.app.keys.refresh();
    expect((await published()).hosted).toHaveLength(2);
    expect((await published()).handOff).toHaveLength(1);
    const rows = await testApp.db.selectFrom('server_keys').select('kid').execute();
    expect(rows).toHaveLength(KEY_USES.length);
  });

  test('[R50] a key that is retired is gone at once, with an event; the one that signs may not go', async () => {
    noted.length = 0;
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const old = current()[3] ?? '';
    await expect(command('retire', old)).rejects.toThrow('signs at present');
    await expect(command('retire', 'nobody')).rejects.toThrow('There is no key nobody');
    await command('rotate', '--now', 'handoff');
    await testApp.app.keys.refresh();
    testApp.clock.advance(HURRY - 5);
    const { url } = await handOffOf(visitor);
    testApp.clock.advance(10);
    await command('retire', old);
    expect(noted).toEqual(['keys.rotated', 'keys.retired']);
    await testApp.app.keys.refresh();
    const refused = await visitor.request(url);
    expect(refused.status).toBe(403);
    expect((await published()).handOff).not.toContain(old);
    const { url: good } = await handOffOf(visitor);
    expect((await visitor.request(good)).status).toBe(303);
  });

  test('a successor that is retired before it signs leaves the present key as it was', async () => {
    await command('rotate', 'es256');
    const rows = () =>
      testApp.db
        .selectFrom('server_keys')
        .select(['kid', 'generation', 'ends_at'])
        .where('key_use', '=', 'es256')
        .orderBy('generation')
        .execute();
    const [, next] = await rows();
    await command('retire', next?.kid ?? '');
    expect(await rows()).toEqual([{ kid: current()[0], generation: 1, ends_at: null }]);
  });

  test('twice in a row, or by two operators at once, makes one successor', async () => {
    await Promise.all([command('rotate', 'handoff'), command('rotate', 'handoff')]);
    const rows = () =>
      testApp.db
        .selectFrom('server_keys')
        .select(['kid', 'signs_from'])
        .where('key_use', '=', 'handoff')
        .orderBy('generation')
        .execute();
    const made = await rows();
    expect(made).toHaveLength(2);
    // Asked for again later: it neither comes twice nor is put off.
    testApp.clock.advance(60);
    await command('rotate', 'handoff');
    expect(await rows()).toEqual(made);
  });

  test('list tells what each key does; other words are explained', async () => {
    await command('rotate', 'cookies');
    const { text } = await command('list');
    expect(text.split('\n')).toHaveLength(KEY_USES.length + 3);
    expect(text).toMatch(/cookies +\S+ +signs since \S+, verifies until/);
    expect(text).toMatch(/cookies +\S+ +signs from/);
    for (const words of [[], ['turn'], ['list', '--all']]) {
      await expect(command(...words)).rejects.toThrow('Usage:\n  porchlight keys');
    }
    await expect(command('rotate', 'everything')).rejects.toThrow('everything is no use of a key');
  });

  test('[OPS-05] programs read an object a key, and none of its secret', async () => {
    const [, , kid = ''] = current();
    const { data } = await command('rotate', '--now', 'cookies');
    expect(data).toEqual((await command('list')).data);
    const listed = data as readonly { use: string; state: string; endsAt: Date | null }[];
    expect(listed.map(({ use, state }) => `${use} ${state}`)).toEqual([
      'es256 signs',
      'rs256 signs',
      'cookies signs',
      'cookies next',
      'handoff signs',
    ]);
    expect(listed[2]).toEqual({
      use: 'cookies',
      kid,
      generation: expect.any(Number),
      state: 'signs',
      signsFrom: expect.any(Date),
      endsAt: expect.any(Date),
      isUnderEarlierSecret: false,
    });
    expect(listed[0]?.endsAt).toBeNull();
  });
});

describe('[R30] rotation by age', () => {
  test('after 89 days the next key is there, a day later it signs', async () => {
    const old = current();
    const { made } = await testApp.db
      .selectFrom('server_keys')
      .select(({ fn }) => fn.max('signs_from').as('made'))
      .executeTakeFirstOrThrow();
    testApp.clock.pin(later(made, 89 * DAY_MS - 60_000));
    await testApp.app.keys.refresh();
    expect((await published()).hosted).toHaveLength(2);
    testApp.clock.advance(60);
    await testApp.app.keys.refresh();
    expect((await published()).hosted).toHaveLength(4);
    expect(current()).toEqual(old);
    testApp.clock.advance(DAY);
    await testApp.app.keys.refresh();
    expect(current().filter((kid) => old.includes(kid))).toEqual([]);
    await testApp.visitor().signIn('member');
    const events = await testApp.db
      .selectFrom('audit_events')
      .orderBy('id')
      .select('details')
      .where('kind', '=', 'keys.rotated')
      .execute();
    expect(events).toHaveLength(KEY_USES.length);
  });

  test('instances that start or rotate at once share one currentKeys', async () => {
    await testApp.db.deleteFrom('server_keys').execute();
    const open = () => openSigningKeys({ ...deps(), maxAgeMs: 90 * DAY_MS });
    const rings = await Promise.all([open(), open(), open()]);
    const kids = () =>
      rings.map((currentKeys) => KEY_USES.map((use) => currentKeys.current(use)[0]?.kid).join());
    expect(new Set(kids()).size).toBe(1);
    const before = kids()[0];
    testApp.clock.advance(89 * DAY);
    await Promise.all(rings.map((currentKeys) => currentKeys.refresh()));
    testApp.clock.advance(DAY);
    await Promise.all(rings.map((currentKeys) => currentKeys.refresh()));
    expect(new Set(kids()).size).toBe(1);
    expect(kids()[0]).not.toBe(before);
    const rows = await testApp.db.selectFrom('server_keys').select('kid').execute();
    expect(rows).toHaveLength(2 * KEY_USES.length);
  });
});

describe('[R55] keys at rest', () => {
  test('a copy of the database has no private key in it', async () => {
    const dump = await testApp.dump();
    for (const use of KEY_USES) {
      for (const { jwk } of testApp.app.keys.current(use)) {
        const secrets = [jwk.d, jwk.k, jwk.p, jwk.q].filter((part) => part !== undefined);
        expect(secrets.filter((secret) => dump.includes(secret))).toEqual([]);
        expect(secrets).not.toEqual([]);
      }
    }
  });

  test('one sealed key does not stand in for another', async () => {
    const [first, second] = await createSigningKeyStore(deps()).list();
    await testApp.db
      .updateTable('server_keys')
      .set({ sealed: first?.sealed ?? '' })
      .where('kid', '=', second?.kid ?? '')
      .execute();
    await expect(openSigningKeys({ ...deps(), maxAgeMs: DAY_MS })).rejects.toThrow(
      'is not what it says it is',
    );
  });

  test('another secret opens nothing and says what to do', async () => {
    const other = deps('another secret, and this one is long enough');
    await expect(openSigningKeys({ ...other, maxAgeMs: DAY_MS })).rejects.toThrow(
      'put the old one into PORCHLIGHT_PREVIOUS_SECRETS',
    );
  });
});

test('a hand-off key is imported once, and forgotten when it goes', async () => {
  let currentKeys = testApp.app.keys.current('handoff');
  const keys = createHandOffKeys(() => currentKeys);
  const [first] = await keys.current();
  expect((await keys.current())[0]?.privateKey).toBe(first?.privateKey);
  currentKeys = [];
  expect(await keys.current()).toEqual([]);
});
