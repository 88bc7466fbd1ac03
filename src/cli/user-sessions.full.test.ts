/** [R23] [SEC-14] An operator lists and ends the sessions of a person. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createAudit } from '#server/audit/audit.ts';
import { createSecretBox } from '#server/crypto/secret-box.ts';
import { openEverything } from '#server/testing/everything-open.ts';
import { operate as run } from '#server/testing/operate.ts';
import { clientEntry, createRelyingParty } from '#server/testing/relying-party.ts';
import { createTestApp, PASSWORD, SECRET, type TestApp } from '#server/testing/test-app.ts';
import { createWire, SPA, wireClients } from '#server/testing/wire.ts';
import type { OpenSession } from '#server/access/sessions.ts';
import { closeAtEnd } from '#server/testing/close-at-end.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const TOLD_AT = 'http://localhost:4999/told';

const testApp = closeAtEnd(
  await createTestApp((url) => {
    const settings = wireClients(url);
    return {
      ...settings,
      clients: [...(settings.clients ?? []), clientEntry({ backChannelLogoutUri: TOLD_AT })],
      isPasswordGrantOn: true,
      limitFactor: 50,
    };
  }),
);
const wire = createWire(testApp);
const garden = await createRelyingParty(testApp.url);

let email: string;
let count = 0;
beforeEach(async () => {
  email = `sessions-${(count += 1)}@example.test`;
  await testApp.visitor().register({ emailAddress: email });
});

async function operate(...words: string[]) {
  const { db, clock, config } = testApp;
  const audit = createAudit({ db, clock, actor: 'operator:test' });
  const secretBox = createSecretBox(SECRET);
  return run({ db, clock, config, secretBox, audit }, 'user', ...words);
}
const sessionsOf = async (word = email) =>
  (await operate('sessions', word)).data as readonly Omit<OpenSession, 'hostedUid' | 'provedAt'>[];
const signIn = async (ip: string) => {
  const visitor = testApp.visitor(ip);
  visitor.state.userAgent = FIREFOX;
  await visitor.signIn(email, PASSWORD);
  return visitor;
};
const isSignedIn = async (visitor: ReturnType<TestApp['visitor']>) =>
  (await visitor.ok('getVisit', {})).login !== null;
/** Jobs that tell of an end. */
const told = async (kind: string) => {
  const rows = await testApp.db
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', kind)
    .execute();
  return rows.length;
};

describe('[R23] [SEC-14] porchlight user sessions', () => {
  test('names browser, network and entrance, and nothing that opens anything', async () => {
    const [first, second] = [await signIn('203.0.113.77'), await signIn('2001:db8:7:1::5')];
    testApp.clock.advance(60);
    const sessions = await sessionsOf();
    expect(sessions).toMatchObject([
      {
        browser: 'Firefox on Windows',
        network: '2001:db8:7::/48',
        entrance: 'portal',
        clients: [],
      },
      { browser: 'Firefox on Windows', network: '203.0.113.0/24', entrance: 'portal', clients: [] },
    ]);
    // As `user --help` lists them.
    const fields = ['id', 'startedAt', 'seenAt', 'browser', 'network', 'entrance', 'clients'];
    expect(sessions.map((row) => Object.keys(row).toSorted())).toEqual([
      fields.toSorted(),
      fields.toSorted(),
    ]);
    const { text } = await operate('sessions', email);
    expect(text.split('\n')).toHaveLength(4);
    for (const { state } of [first, second]) {
      expect(state.token).toBeTruthy();
      expect(text).not.toContain(state.token);
    }
    const rows = JSON.stringify(await testApp.db.selectFrom('sign_ins').selectAll().execute());
    for (const whole of [FIREFOX, '2001:db8:7:1::5']) expect(rows).not.toContain(whole);
  });

  test('applications stand beside the browser that they came from; who is away is on no list', async () => {
    const { email: of, userId } = await openEverything({ testApp, wire, garden });
    const sessions = await sessionsOf(String(userId));
    expect(sessions.filter(({ entrance }) => entrance !== null)).toMatchObject([
      { clients: ['garden-club', SPA].toSorted() },
    ]);
    testApp.clock.advance(31 * 60);
    const later = await sessionsOf(of);
    expect(later.every(({ entrance }) => entrance === null)).toBe(true);
    expect(later.some(({ clients }) => clients.includes('garden-club'))).toBe(true);
  });
});

describe('[R23] [SEC-14] porchlight user sign-out', () => {
  test('one session: its browser is out, here and at the hosted login, and the other one stays', async () => {
    const [first, second] = [await signIn('203.0.113.77'), await signIn('198.51.100.9')];
    const grant = await wire.tokens(first);
    expect(grant.refresh_token).toBeTruthy();
    const [, older] = await sessionsOf();
    const said = await operate('sign-out', email, '--session', older?.id ?? '');
    expect(said.text).toMatch(/is signed out\. Sessions ended: 1\.\n$/);
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);
    const silent = await first.authorize((await first.begin(false)).authorizeUrl);
    expect(silent.error).toBe('login_required');
    const ask = { grant_type: 'refresh_token', client_id: SPA, refresh_token: grant.refresh_token };
    expect(await wire.token(ask)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect((await wire.silently(second)).answer.code).toBeTruthy();
    expect((await sessionsOf()).map(({ network }) => network)).toEqual(['198.51.100.0/24']);
    await expect(operate('sign-out', email, '--session', older?.id ?? '')).rejects.toThrow(
      'has no session',
    );
  });

  test('all of them, and their applications are told', async () => {
    const { email: of, visitor, own } = await openEverything({ testApp, wire, garden });
    const before = await told('logoutNotice');
    const listed = await sessionsOf(of);
    expect((await operate('sign-out', of)).data).toMatchObject({ count: listed.length });
    expect(await told('logoutNotice')).toBe(before + 1);
    expect(await isSignedIn(visitor)).toBe(false);
    const ask = { grant_type: 'refresh_token', client_id: SPA, refresh_token: own.refresh_token };
    expect(await wire.token(ask)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await sessionsOf(of)).toEqual([]);
  });

  test('a session of somebody else is none of this account', async () => {
    const visitor = await signIn('203.0.113.77');
    const [own] = await sessionsOf();
    const { userId } = await testApp.visitor().register({ emailAddress: `other-${email}` });
    // One id in 64 begins with a dash.
    for (const session of [own?.id ?? '', '-an-id-with-a-dash']) {
      const words = ['sign-out', String(userId), '--session', session];
      await expect(operate(...words)).rejects.toThrow('has no session');
    }
    expect(await isSignedIn(visitor)).toBe(true);
  });

  test('each is in the audit log, by the operator', async () => {
    const visitor = await signIn('203.0.113.77');
    const [own] = await sessionsOf();
    await operate('sign-out', email, '--session', own?.id ?? '');
    // Nothing is left to end: no event.
    await operate('sign-out', email);
    expect(await isSignedIn(visitor)).toBe(false);
    const events = await testApp.db
      .selectFrom('audit_events')
      .innerJoin('users', 'users.id', 'audit_events.user_id')
      .where('email', '=', email)
      .where('kind', '=', 'account.signedOut')
      .select(['actor', 'details'])
      .orderBy('audit_events.id')
      .execute();
    expect(events).toEqual([{ actor: 'operator:test', details: { count: 1, session: own?.id } }]);
  });

  test('suspending tells applications, too', async () => {
    const { email: of } = await openEverything({ testApp, wire, garden });
    const before = await told('logoutNotice');
    await operate('suspend', of);
    expect(await told('logoutNotice')).toBe(before + 1);
    expect(await sessionsOf(of)).toEqual([]);
  });
});
