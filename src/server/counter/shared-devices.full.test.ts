/** Counter mode, as browsers meet it: the switch, the five and thirty minutes, and what a shared device refuses. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Boot } from '#contract/boot.ts';
import type { ConsolePage } from '#contract/console.ts';
import type { ModuleConfig } from '../config/modules-file.ts';
import { hashToken } from '../crypto/secret-box.ts';
import { openDesk } from '../testing/desk.ts';
import { startHttpReceiver } from '../testing/receivers.ts';
import { createTestAppWithPages, type TestApp, type Visitor } from '../testing/test-app.ts';

const MINUTE = 60;
const SWITCH = '/account/me/shared-device';
const NEXT = '/account/Next';

let testApp: TestApp;
const receiver = await startHttpReceiver();
beforeAll(async () => {
  const modules = [
    moduleOf('member-intake', `${receiver.url}/signed-out`),
    moduleOf('event-counter', null),
  ];
  testApp = await createTestAppWithPages({ modules, limitFactor: 200 });
});
afterAll(async () => {
  await testApp.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.received.length = 0;
});

function moduleOf(id: ModuleConfig['id'], signOutUrl: string | null): ModuleConfig {
  return {
    id,
    rootUrl: 'http://localhost:1/',
    loginUrl: 'http://localhost:1/login',
    secretHash: hashToken('secret'),
    sealedTo: null,
    signOutUrl,
    accepts: ['otp'],
  };
}

async function open(visitor: Visitor, path: string) {
  const response = await visitor.request(path);
  const text = await response.text();
  const [, json = 'null'] = /id="boot">(.*?)<\/script>/s.exec(text) ?? [];
  const boot = JSON.parse(json) as Boot | null;
  return { status: response.status, location: response.headers.get('location'), boot, response };
}

const pathOf = (location: string | null) => location?.split('?', 1)[0];

const send = (visitor: Visitor, fields: Record<string, string>, path = SWITCH) =>
  visitor.request(path, {
    method: 'POST',
    body: new URLSearchParams({ action: 'form', once: crypto.randomUUID(), ...fields }),
  });

/** Posts to the bar's own addresses. */
const bar = (visitor: Visitor, what: 'active' | 'finished') =>
  visitor.request(`/counter/${what}`, { method: 'POST' });

/** A browser that a staff member has made a shared device, before its first person. */
async function sharedBrowser(staff = 'staff'): Promise<Visitor> {
  const visitor = testApp.visitor();
  await visitor.signIn(staff);
  await send(visitor, { name: 'Front desk' });
  visitor.state.token = null;
  expect(visitor.cookies.has('shared')).toBe(true);
  return visitor;
}

async function person(visitor: Visitor, name = 'member') {
  await open(visitor, '/account/signin');
  return visitor.signIn(name);
}

const isSignedIn = async (visitor: Visitor) =>
  (await visitor.ok('getVisit', { query: {} })).login !== null;
const openSignIns = (userId: number) =>
  testApp.db
    .selectFrom('sign_ins')
    .select('id')
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .execute();
const deviceRow = () =>
  testApp.db
    .selectFrom('shared_devices')
    .selectAll()
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
const kinds = async () =>
  (
    await testApp.db
      .selectFrom('audit_events')
      .select(['kind', 'details'])
      .where('kind', 'like', 'sharedDevice.%')
      .orderBy('id', 'desc')
      .limit(5)
      .execute()
  ).map(({ kind }) => kind);

describe('[CTR-01] staff switch counter mode on', () => {
  test.each([
    ['staff', true],
    ['admin', true],
    ['counter', true],
    ['mobile-counter', true],
    ['member', false],
    ['legal', false],
    ['agent', false],
    ['special', false],
  ])('%s: %s', async (name, isAllowed) => {
    const visitor = testApp.visitor();
    const { loggedInUserId } = await visitor.signIn(name);
    const { boot, location } = await open(visitor, SWITCH);
    expect(boot?.screen ?? pathOf(location)).toBe(
      isAllowed ? 'sharedDevice' : '/account/ErrorPage',
    );
    const answer = await send(visitor, { name: 'Front desk' });
    expect(pathOf(answer.headers.get('location'))).toBe(isAllowed ? NEXT : '/account/ErrorPage');
    expect(visitor.cookies.has('shared')).toBe(isAllowed);
    // Their own session is over in this browser, and the browser is known to no account.
    expect(visitor.cookies.has('device')).toBe(!isAllowed);
    expect((await openSignIns(loggedInUserId)).length > 0).toBe(!isAllowed);
    expect(await isSignedIn(visitor)).toBe(!isAllowed);
  });

  test('with a name; the row has a hash, and the cookie no script can read', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('staff');
    for (const name of ['', '   ', 'x'.repeat(61)]) {
      const { boot } = await read(await send(visitor, { name }));
      expect(boot?.account?.problems.name?.message).toBe('deviceName');
    }
    await send(visitor, { name: '  Front   desk ' });
    const row = await deviceRow();
    expect(row).toMatchObject({ name: 'Front desk', subtenant_id: 742, ended_at: null });
    const line = visitor.setCookies.findLast((each) => each.startsWith('shared=')) ?? '';
    expect(line).toMatch(/^shared=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
    expect(row.token_hash).toBe(hashToken(visitor.cookies.get('shared') ?? ''));
    expect(await kinds()).toContain('sharedDevice.on');
  });

  test('a staff sign-in switches it off, of their own subtenant', async () => {
    const visitor = await sharedBrowser();
    await person(visitor, 'counter');
    const answer = await send(visitor, {});
    expect(answer.headers.get('location')).toBe('/account/signin');
    expect(visitor.cookies.has('shared')).toBe(false);
    expect((await deviceRow()).ended_at).not.toBeNull();
    expect((await open(visitor, '/account/signin')).boot?.sharedUse).toBeUndefined();
  });

  test('the staff of another subtenant does not switch it off', async () => {
    const visitor = await sharedBrowser();
    await testApp.db
      .updateTable('shared_devices')
      .set({ subtenant_id: 900 })
      .where('ended_at', 'is', null)
      .execute();
    await person(visitor, 'counter');
    expect((await send(visitor, {})).status).toBe(403);
    expect((await deviceRow()).ended_at).toBeNull();
  });
});

describe('[CTR-02] a shared device is no ordinary browser', () => {
  test('it remembers no browser: no cookie, and no row of the account', async () => {
    const visitor = await sharedBrowser();
    const { loggedInUserId } = await person(visitor);
    expect(visitor.cookies.has('device')).toBe(false);
    const known = await testApp.db
      .selectFrom('known_devices')
      .select('device_hash')
      .where('user_id', '=', loggedInUserId)
      .where('device_hash', '=', '')
      .execute();
    expect(known).toEqual([]);
  });

  test('it shows the signed-in person their pages all the same', async () => {
    const visitor = await sharedBrowser();
    await person(visitor);
    expect((await open(visitor, '/account/me')).boot?.account?.firstName).toBe('Margaret');
  });

  test('it saves no key, takes none, and offers none', async () => {
    const visitor = await sharedBrowser();
    expect((await open(visitor, '/account/signin')).boot?.settings.keys).toBeUndefined();
    expect((await visitor.ok('getSettings', {})).keys).toBeUndefined();
    const { offersKey } = await person(visitor);
    expect(offersKey).toBe(false);
    for (const use of ['signIn', 'stepUp'] as const) {
      expect((await visitor.call('keyRequest', { body: { use } })).errorFlag).toBe('NOT_FOUND');
    }
    const creation = await visitor.call('keyCreation', { body: { isByItself: false } });
    expect(creation.errorFlag).toBe('NOT_FOUND');
  });

  test.each(['email', 'phone', 'password', 'ways', 'app-codes', 'keys', 'helpers', 'data'])(
    'it changes no way in: %s',
    async (page) => {
      const visitor = await sharedBrowser();
      await person(visitor);
      const { location } = await open(visitor, `/account/me/${page}`);
      expect(pathOf(location)).toBe('/account/OwnDevice');
      const answer = await send(visitor, { email: 'x@example.test' }, `/account/me/${page}`);
      expect(pathOf(answer.headers.get('location'))).toBe('/account/OwnDevice');
      expect((await open(visitor, '/account/OwnDevice')).boot?.screen).toBe('ownDevice');
    },
  );

  test('it keeps no file of the person', async () => {
    const visitor = await sharedBrowser();
    await person(visitor);
    const answer = await visitor.request('/account/me/data.json');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account/me/data']);
  });

  test('[CTR-05] it opens no module that cannot be told of a sign-out', async () => {
    const visitor = await sharedBrowser();
    await person(visitor, 'counter');
    const input = { body: { choice: null, entrance: 'portal' } } as const;
    expect((await visitor.call('issueHandoff', input)).errorFlag).toBe('NOT_SHARED');
    const { boot } = await open(visitor, '/account/me');
    expect(boot?.sharedUse?.closedModules).toEqual(['event-counter']);
    const ordinary = testApp.visitor();
    await ordinary.signIn('counter');
    expect((await ordinary.call('issueHandoff', input)).succeeded).toBe(true);
  });

  test('it opens no console', async () => {
    const visitor = await sharedBrowser();
    await person(visitor, 'admin');
    expect((await open(visitor, '/console')).location).toBe('/account/OwnDevice');
  });
});

describe('[CTR-03] the server counts five idle minutes, and thirty at most', () => {
  test('a page that is opened, a key or a press starts five minutes again', async () => {
    const visitor = await sharedBrowser();
    const { loggedInUserId, logUserLoginId } = await person(visitor);
    for (const _ of [1, 2]) {
      testApp.clock.advance(4 * MINUTE);
      expect((await bar(visitor, 'active')).status).toBe(200);
    }
    testApp.clock.advance(4 * MINUTE);
    expect((await open(visitor, '/account/me')).boot?.screen).toBe('myAccount');
    testApp.clock.advance(5 * MINUTE);
    expect((await open(visitor, '/account/me')).location).toBe(NEXT);
    expect((await openSignIns(loggedInUserId)).map(({ id }) => id)).not.toContain(logUserLoginId);
    expect(await isSignedIn(visitor)).toBe(false);
  });

  test('thirty minutes end it under the fingers', async () => {
    const visitor = await sharedBrowser();
    await person(visitor);
    for (let minutes = 4; minutes < 30; minutes += 4) {
      testApp.clock.advance(4 * MINUTE);
      expect((await bar(visitor, 'active')).status).toBe(200);
    }
    const last = (await (await bar(visitor, 'active')).json()) as object;
    expect(last).toMatchObject({ canExtend: false });
    testApp.clock.advance(3 * MINUTE);
    expect(await (await bar(visitor, 'active')).json()).toMatchObject({ remainingMs: 0 });
    expect(await isSignedIn(visitor)).toBe(false);
  });

  test.each([
    ['by the form itself', async () => undefined],
    ['by the server, before it came', async () => testApp.app.clearSharedDevices()],
  ])('a form that comes after the end changes nothing: ended %s', async (_, end) => {
    const visitor = await sharedBrowser();
    const { loggedInUserId } = await person(visitor, 'intake');
    const nameOf = async () =>
      testApp.db
        .selectFrom('users')
        .select(['first_name', 'last_name'])
        .where('id', '=', loggedInUserId)
        .executeTakeFirst();
    const before = await nameOf();
    testApp.clock.advance(5 * MINUTE);
    await end();
    const fields = { firstName: 'Late', lastName: 'Form' };
    const answer = await send(visitor, fields, '/account/me/name');
    expect([answer.status, pathOf(answer.headers.get('location'))]).toEqual([303, NEXT]);
    expect(await nameOf()).toEqual(before);
  });

  test('calls of a page alone extend nothing', async () => {
    const visitor = await sharedBrowser();
    await person(visitor);
    testApp.clock.advance(4 * MINUTE);
    expect(await isSignedIn(visitor)).toBe(true);
    testApp.clock.advance(MINUTE);
    expect(await isSignedIn(visitor)).toBe(false);
  });

  test('a lost browser ends, too: without its requests, and without its cookie', async () => {
    const visitor = await sharedBrowser();
    const { loggedInUserId, logUserLoginId } = await person(visitor, 'intake');
    visitor.cookies.delete('shared');
    testApp.clock.advance(5 * MINUTE);
    await testApp.app.clearSharedDevices();
    expect((await openSignIns(loggedInUserId)).map(({ id }) => id)).not.toContain(logUserLoginId);
    expect(await isSignedIn(visitor)).toBe(false);
    expect(await kinds()).toContain('sharedDevice.cleared');
  });

  test("'Take your time' adds five minutes, once", async () => {
    const visitor = await sharedBrowser();
    await person(visitor);
    visitor.cookies.set('display', 'device.standard.on');
    const time = await (await bar(visitor, 'active')).json();
    expect(time).toMatchObject({ asksMs: 6 * 60_000, canExtend: true });
    testApp.clock.advance(9 * MINUTE);
    expect(await isSignedIn(visitor)).toBe(true);
    testApp.clock.advance(MINUTE);
    expect(await isSignedIn(visitor)).toBe(false);
  });

  test('a visit that was signed in elsewhere is ended where its cookie is brought to', async () => {
    const ordinary = testApp.visitor();
    await ordinary.signIn('partner');
    const visitor = await sharedBrowser();
    visitor.cookies.set('visit', ordinary.cookies.get('visit') ?? '');
    await open(visitor, '/account/signin');
    expect(await isSignedIn(ordinary)).toBe(false);
  });

  test('a copy of the device’s cookie ends nobody who is signed in there', async () => {
    const visitor = await sharedBrowser();
    await person(visitor);
    const elsewhere = testApp.visitor();
    elsewhere.cookies.set('shared', visitor.cookies.get('shared') ?? '');
    // The first call gives it a visit, the next one would take the person's place.
    await elsewhere.ok('getVisit', { query: {} });
    expect(elsewhere.cookies.has('visit')).toBe(true);
    await elsewhere.ok('getVisit', { query: {} });
    expect(await isSignedIn(visitor)).toBe(true);
    // S71: the copy neither keeps the use open nor ends it, with a visit of its own and without one.
    const cookieAlone = testApp.visitor();
    cookieAlone.cookies.set('shared', visitor.cookies.get('shared') ?? '');
    const clears = () =>
      testApp.db
        .selectFrom('shared_devices')
        .select(['started_at', 'clears_at'])
        .orderBy('created_at', 'desc')
        .executeTakeFirst();
    const before = await clears();
    testApp.clock.advance(MINUTE);
    for (const copy of [cookieAlone, elsewhere]) {
      expect((await bar(copy, 'active')).status).toBe(200);
      expect((await bar(copy, 'finished')).status).toBe(303);
    }
    expect(await clears()).toEqual(before);
    expect(await isSignedIn(visitor)).toBe(true);
    await bar(visitor, 'active');
    expect(await clears()).not.toEqual(before);
    // At the end the device is free again, and the person's session is over.
    await bar(visitor, 'finished');
    expect(await isSignedIn(visitor)).toBe(false);
  });
});

describe('[CTR-04] the end', () => {
  test('Finished ends session, hosted session and hand-offs, and tells the modules', async () => {
    const visitor = await sharedBrowser();
    const { loggedInUserId } = await person(visitor);
    const hosted = () =>
      testApp.db
        .selectFrom('hosted_payloads')
        .select('id')
        .where('model', 'in', ['Session', 'Grant'])
        .where('account_id', '=', String(loggedInUserId))
        .execute();
    const before = (await hosted()).length;
    const input = { body: { choice: null, entrance: 'portal' } } as const;
    const { url } = await visitor.ok('issueHandoff', input);
    const token = Buffer.from(new URL(url).searchParams.get('token') ?? '', 'base64').toString();
    const authorization = `Basic ${Buffer.from('member-intake:secret').toString('base64')}`;
    await visitor.call(
      'redeemHandoff',
      { body: { token } },
      { authorization, origin: '', 'sec-fetch-site': '' },
    );
    const answer = await bar(visitor, 'finished');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, NEXT]);
    await testApp.app.outbox.settle();
    expect(receiver.received).toHaveLength(1);
    expect((await hosted()).length).toBeLessThan(before);
    expect(await isSignedIn(visitor)).toBe(false);
  });

  test('a copy of its cookies is worth nothing, and a code that waited is closed', async () => {
    const visitor = await sharedBrowser();
    await open(visitor, '/account/signin');
    const { userId } = await visitor.reachCode('member@demo.porchlight.test');
    const copy = testApp.visitor();
    for (const [name, value] of visitor.cookies) copy.cookies.set(name, value);
    copy.cookies.delete('shared');
    const before = new Map(copy.cookies);
    await bar(visitor, 'finished');
    expect((await copy.ok('getVisit', { query: {} })).code).toBeNull();
    // The server knows no such visit: it begins another one.
    expect([...copy.cookies].filter(([name, value]) => before.get(name) !== value)).not.toEqual([]);
    const waiting = await testApp.db
      .selectFrom('otp_codes')
      .select('id')
      .where('user_id', '=', userId)
      .where('closed_at', 'is', null)
      .where('verified_at', 'is', null)
      .execute();
    expect(waiting).toEqual([]);
  });

  test('the next page takes every cookie but the device’s own, and the storage', async () => {
    const visitor = await sharedBrowser();
    await person(visitor);
    visitor.cookies.set('display', 'dark.largest.off');
    await bar(visitor, 'finished');
    const { boot, response } = await open(visitor, NEXT);
    expect(boot?.screen).toBe('counterNext');
    expect(response.headers.get('clear-site-data')).toBe('"storage"');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect([...visitor.cookies.keys()]).toEqual(['shared']);
  });

  test('the next page is no way around the end, and no page of an ordinary browser', async () => {
    const visitor = await sharedBrowser();
    await person(visitor);
    expect((await open(visitor, NEXT)).location).toContain('/account/signin');
    expect((await open(testApp.visitor(), NEXT)).location).toContain('/account/signin');
  });

  test('another site cannot press Finished', async () => {
    const visitor = await sharedBrowser();
    await person(visitor);
    const answer = await visitor.request('/counter/finished', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(answer.status).toBe(403);
    expect(await isSignedIn(visitor)).toBe(true);
  });
});

describe('[CTR-06] the console', () => {
  const idsIn = (page: ConsolePage | null) =>
    page?.kind === 'list' ? page.rows.map(({ id }) => id) : [];

  test('lists the devices of the staff member’s subtenant, and ends their mode', async () => {
    const visitor = await sharedBrowser();
    await person(visitor);
    const { id } = await deviceRow();
    const [desk, operator] = [await openDesk(testApp, 'staff'), await openDesk(testApp, 'admin')];
    expect(idsIn((await desk.open('/console/devices')).page)).toContain(id);
    const moved = (subtenant_id: number) =>
      testApp.db.updateTable('shared_devices').set({ subtenant_id }).where('id', '=', id).execute();
    await moved(900);
    expect(idsIn((await desk.open('/console/devices')).page)).not.toContain(id);
    expect(idsIn((await operator.open('/console/devices')).page)).toContain(id);
    await desk.send(`/console/devices/${id}/end`, {}, '/console/devices');
    expect((await deviceRow()).ended_at).toBeNull();
    await moved(742);
    const answer = await desk.send(`/console/devices/${id}/end`, {}, '/console/devices');
    expect(answer.location).toBe('/console/devices?done=end');
    expect((await deviceRow()).ended_at).not.toBeNull();
    expect(await isSignedIn(visitor)).toBe(false);
    expect((await open(visitor, '/account/signin')).boot?.sharedUse).toBeUndefined();
    const [event] = await testApp.db
      .selectFrom('audit_events')
      .select('actor')
      .where('kind', '=', 'sharedDevice.off')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(event?.actor).toMatch(/^staff:\d+$/);
  });

  test('ends nothing without a code of the last five minutes', async () => {
    await sharedBrowser();
    const { id } = await deviceRow();
    const desk = await openDesk(testApp, 'staff');
    testApp.clock.advance(6 * MINUTE);
    await desk.send(`/console/devices/${id}/end`, {}, '/console/devices');
    expect((await deviceRow()).ended_at).toBeNull();
  });
});

test('[CTR-03] every page has the bar: the portal’s with its script, a plain one without', async () => {
  const visitor = await sharedBrowser();
  await person(visitor);
  const drawn = await (await visitor.request('/account/signin')).text();
  expect(drawn).toContain('<section id="counter"');
  expect(drawn).toContain('src="/counter.js"');
  // Out of form: the page of last resort; and the hosted login's own.
  const refused = await send(visitor, { xsrf: 'forged' });
  const hosted = await visitor.request('/idp/no-such-page', { headers: { accept: 'text/html' } });
  const signedOut = await visitor.request('/idp/oidc/logout/success');
  for (const plain of [refused, hosted, signedOut]) {
    const text = await plain.text();
    expect(text).toContain('<section id="counter"');
    expect(text).toMatch(/http-equiv="refresh" content="\d+;url=\/account\/Next"/);
    // A page of the portal's own look may run its script; a plain one may run none.
    expect(text.includes('/plain.css')).toBe(!text.includes('/counter.js'));
  }
  const ordinary = await (await testApp.visitor().request('/account/signin')).text();
  expect(ordinary).not.toContain('counter');
});

test('[CTR-02] a forged cookie, and that of a device whose mode has ended, is an ordinary browser', async () => {
  const forged = testApp.visitor();
  forged.cookies.set('shared', 'x'.repeat(43));
  const ended = await sharedBrowser();
  await testApp.db
    .updateTable('shared_devices')
    .set({ ended_at: testApp.clock.now() })
    .where('ended_at', 'is', null)
    .execute();
  for (const visitor of [forged, ended]) {
    await visitor.signIn('member');
    expect(visitor.cookies.has('device')).toBe(true);
    expect((await open(visitor, '/account/signin')).boot?.sharedUse).toBeUndefined();
    expect((await bar(visitor, 'active')).status).toBe(404);
    expect((await bar(visitor, 'finished')).headers.get('location')).toBe('/account/signin');
  }
});

async function read(response: Response) {
  const [, json = 'null'] = /id="boot">(.*?)<\/script>/s.exec(await response.text()) ?? [];
  return { boot: JSON.parse(json) as Boot | null };
}
