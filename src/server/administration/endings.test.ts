/** [OPS-93] DEF-2, DEF-3: an account is switched off, or erased, in the same way by each face. */

import { createServer, type Server } from 'node:http';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAudit } from '../audit/audit.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { freePort } from '../testing/free-port.ts';
import { operate } from '../testing/operate.ts';
import { clientEntry, createRelyingParty } from '../testing/relying-party.ts';
import { createTestApp, PASSWORD, SECRET, type TestApp } from '../testing/test-app.ts';
import { createWire, type Wire, wireClients } from '../testing/wire.ts';

let testApp: TestApp;
let wire: Wire;
let house: Awaited<ReturnType<typeof createRelyingParty>>;
let machine: string;
let receiver: Server;
const received: string[] = [];
let isDown = false;

beforeAll(async () => {
  const port = await freePort();
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      if (isDown) return void response.writeHead(503).end();
      received.push(String(decodeJwt(new URLSearchParams(body).get('logout_token') ?? '').sub));
      response.end();
    });
  });
  await new Promise<void>((ready) => receiver.listen(port, '127.0.0.1', ready));
  const backChannelLogoutUri = `http://127.0.0.1:${port}/logout`;
  const app = clientEntry({ id: 'house-app', firstParty: true, backChannelLogoutUri });
  testApp = await createTestApp((url) => {
    const { clients = [], ...settings } = wireClients(url);
    return { ...settings, clients: [...clients, app], limitFactor: 50 };
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
    erase: (id: number) => byCommandLine('erase', String(id), '--yes'),
  },
  {
    face: 'Management API',
    actor: 'client:machine',
    suspend: (id: number) => byProgram('PATCH', id, { blocked: true }),
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
  const { tokens } = await house.signIn(visitor, emailAddress);
  return { userId, emailAddress, token: tokens.access_token };
}

const eventsOf = (kind: string) =>
  testApp.db.selectFrom('audit_events').select(['actor', 'user_id']).where('kind', '=', kind);

describe.each(FACES)('by the $face', ({ actor, suspend, erase }) => {
  test.each([
    ['account.suspended', suspend],
    ['account.erased', erase],
  ] as const)(
    '%s: sessions end, applications are told, the audit names the actor',
    async (kind, end) => {
      const { userId, emailAddress, token } = await signedIn();
      received.length = 0;
      const before = await eventsOf(kind).where('actor', '=', actor).execute();
      await end(userId);
      await testApp.app.outbox.settle();
      expect(received).toEqual([String(userId)]);
      const userInfo = await fetch(`${wire.issuer}userinfo`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(userInfo.status).toBe(401);
      await expect(testApp.visitor().signIn(emailAddress, PASSWORD)).rejects.toThrow(
        /ACCOUNT_SUSPENDED|answered 403/,
      );
      const after = await eventsOf(kind).where('actor', '=', actor).execute();
      expect(after).toHaveLength(before.length + 1);
    },
  );

  test('erased before the notice of the suspension is delivered: the application is told', async () => {
    const { userId } = await signedIn();
    received.length = 0;
    isDown = true;
    await suspend(userId);
    await testApp.app.outbox.settle();
    await erase(userId);
    isDown = false;
    testApp.clock.advance(3600);
    await testApp.app.outbox.settle();
    expect(received).toEqual([String(userId)]);
  });

  test('a fault undoes all of it: nobody is told of what did not happen', async () => {
    const { userId, emailAddress } = await signedIn();
    received.length = 0;
    // The entry of the audit log comes last.
    await refuseEntries(true);
    try {
      await Promise.resolve(suspend(userId)).catch(() => undefined);
      await Promise.resolve(erase(userId)).catch(() => undefined);
    } finally {
      await refuseEntries(false);
    }
    await testApp.app.outbox.settle();
    expect(received).toEqual([]);
    await testApp.visitor().signIn(emailAddress, PASSWORD);
  });
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
