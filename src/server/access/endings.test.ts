/** [OPS-93] DEF-2, DEF-3: an account is switched off, signed out or erased in the same way by each face. */

import { createServer, type Server } from 'node:http';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAudit } from '../audit/audit.ts';
import { createSecretBox, hashToken } from '../crypto/secret-box.ts';
import { freePort } from '../testing/free-port.ts';
import { operate } from '../testing/operate.ts';
import { clientEntry, createRelyingParty } from '../testing/relying-party.ts';
import { createTestApp, PASSWORD, SECRET, type TestApp } from '../testing/test-app.ts';
import { createWire, type Wire, wireClients } from '../testing/wire.ts';

const MODULE_SECRET = 'the secret of this module';

let testApp: TestApp;
let wire: Wire;
let house: Awaited<ReturnType<typeof createRelyingParty>>;
let machine: string;
let receiver: Server;
/** A set: a notice whose answer came too late on a busy machine is told again. */
const received = new Set<string>();
let isDown = false;

beforeAll(async () => {
  const port = await freePort();
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      if (isDown) return void response.writeHead(503).end();
      const { sub } = decodeJwt(new URLSearchParams(body).get('logout_token') ?? '');
      received.add(`${request.url} ${sub}`);
      response.end();
    });
  });
  await new Promise<void>((ready) => receiver.listen(port, '127.0.0.1', ready));
  const backChannelLogoutUri = `http://127.0.0.1:${port}/logout`;
  const app = clientEntry({ id: 'house-app', firstParty: true, backChannelLogoutUri });
  testApp = await createTestApp((url) => {
    const { clients = [], ...settings } = wireClients(url);
    const intake = {
      id: 'member-intake',
      rootUrl: 'http://localhost:1/',
      loginUrl: 'http://localhost:1/login',
      secretHash: hashToken(MODULE_SECRET),
      sealedTo: null,
      signOutUrl: `http://127.0.0.1:${port}/module`,
      accepts: ['otp'] as const,
    } as const;
    return { ...settings, clients: [...clients, app], modules: [intake], limitFactor: 50 };
  });
  wire = createWire(testApp);
  house = await createRelyingParty(testApp.url, 'house-app');
  machine = (await wire.machine()).access_token;
});
afterAll(async () => {
  await testApp.close();
  receiver.close();
});

const byCommandLine = (...words: string[]) => {
  const { db, clock, config } = testApp;
  const audit = createAudit({ db, clock, actor: 'operator:rosa@desk' });
  return operate(
    { db, clock, config, secretBox: createSecretBox(SECRET), audit },
    'user',
    ...words,
  );
};
const byProgram = (method: 'PATCH' | 'DELETE', id: number, body?: object) =>
  wire.manage(machine, method, `users/${id}`, body);

const FACES = [
  {
    face: 'command line',
    actor: 'operator:rosa@desk',
    suspend: (id: number) => byCommandLine('suspend', String(id)),
    signOut: (id: number) => byCommandLine('sign-out', String(id)),
    erase: (id: number) => byCommandLine('erase', String(id), '--yes'),
  },
  {
    face: 'Management API',
    actor: 'client:machine',
    suspend: (id: number) => byProgram('PATCH', id, { blocked: true }),
    signOut: async (id: number) =>
      (await wire.manage(machine, 'DELETE', `users/${id}/sessions`)).status,
    erase: (id: number) => byProgram('DELETE', id),
  },
] as const;

/** Makes every entry of the audit log fail. */
async function refuseEntries(isOn: boolean): Promise<void> {
  const { db } = testApp;
  if (!isOn) return void (await sql`drop trigger no_entry on audit_events`.execute(db));
  await sql`create or replace function refuse() returns trigger language plpgsql
    as 'begin raise exception ''no entry''; end'`.execute(db);
  await sql`create trigger no_entry before insert on audit_events
    for each row execute function refuse()`.execute(db);
}

let count = 0;
async function signedIn() {
  const emailAddress = `ended-${(count += 1)}@endings.test`;
  const { userId } = await testApp.visitor().register({ emailAddress });
  const visitor = testApp.visitor();
  await visitor.signIn(emailAddress, PASSWORD);
  const { url } = await visitor.ok('issueHandoff', { body: { choice: null, entrance: 'portal' } });
  const token = Buffer.from(new URL(url).searchParams.get('token') ?? '', 'base64').toString();
  const authorization = `Basic ${Buffer.from(`member-intake:${MODULE_SECRET}`).toString('base64')}`;
  const headers = { authorization, origin: '', 'sec-fetch-site': '' };
  await testApp.visitor().call('redeemHandoff', { body: { token } }, headers);
  const { tokens } = await house.signIn(visitor, emailAddress);
  return { userId, emailAddress, token: tokens.access_token };
}

const eventsOf = (kind: string) =>
  testApp.db.selectFrom('audit_events').select(['actor', 'user_id']).where('kind', '=', kind);

describe.each(FACES)('by the $face', ({ actor, suspend, signOut, erase }) => {
  for (const [kind, end, afterwards] of [
    ['account.suspended', suspend, 'refused'],
    ['account.signedOut', signOut, 'signed in'],
    ['account.erased', erase, 'refused'],
  ] as const) {
    const tags = kind === 'account.erased' ? [] : ['long'];
    test(
      `${kind}: sessions end, applications and modules are told, the audit names the actor`,
      { tags },
      async () => {
        const { userId, emailAddress, token } = await signedIn();
        received.clear();
        const before = await eventsOf(kind).where('actor', '=', actor).execute();
        await end(userId);
        await testApp.app.outbox.settle();
        expect([...received].toSorted()).toEqual([`/logout ${userId}`, `/module ${userId}`]);
        const userInfo = await fetch(`${wire.issuer}userinfo`, {
          headers: { authorization: `Bearer ${token}` },
        });
        expect(userInfo.status).toBe(401);
        const again = await testApp
          .visitor()
          .signIn(emailAddress, PASSWORD)
          .then(
            () => 'signed in',
            (error) => (/ACCOUNT_SUSPENDED|answered 403/.test(String(error)) ? 'refused' : error),
          );
        expect(again).toBe(afterwards);
        const after = await eventsOf(kind).where('actor', '=', actor).execute();
        expect(after).toHaveLength(before.length + 1);
      },
    );
  }

  test(
    'erased before the notice of the suspension is delivered: the application is told',
    { tags: 'long' },
    async () => {
      const { userId } = await signedIn();
      received.clear();
      isDown = true;
      await suspend(userId);
      await testApp.app.outbox.settle();
      await erase(userId);
      isDown = false;
      testApp.clock.advance(3600);
      await testApp.app.outbox.settle();
      expect([...received].toSorted()).toEqual([`/logout ${userId}`, `/module ${userId}`]);
    },
  );

  test(
    'a fault undoes all of it: nobody is told of what did not happen',
    { tags: 'long' },
    async () => {
      const { userId, emailAddress } = await signedIn();
      received.clear();
      // The entry of the audit log comes last.
      await refuseEntries(true);
      try {
        await Promise.resolve(suspend(userId)).catch(() => undefined);
        await Promise.resolve(erase(userId)).catch(() => undefined);
      } finally {
        await refuseEntries(false);
      }
      await testApp.app.outbox.settle();
      expect([...received]).toEqual([]);
      await testApp.visitor().signIn(emailAddress, PASSWORD);
    },
  );
});

test('blocked twice is fine, and an account that is not active yet stays so', async () => {
  const { userId } = await signedIn();
  for (const blocked of [true, true, false, false]) {
    const answer = await byProgram('PATCH', userId, { blocked });
    expect(answer.status).toBe(200);
    expect(answer.body.blocked === true).toBe(blocked);
  }
  const emailAddress = 'pending@endings.test';
  await testApp.visitor().signUp({ emailAddress });
  const pending = () =>
    testApp.db
      .selectFrom('users')
      .select(['id', 'status'])
      .where('email', '=', emailAddress)
      .executeTakeFirstOrThrow();
  expect((await byProgram('PATCH', (await pending()).id, { blocked: true })).status).toBe(200);
  expect(await pending()).toMatchObject({ status: 'pending' });
});
