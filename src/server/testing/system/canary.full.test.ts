/** Marked secrets go through every flow of the real process, and are then looked for wherever it writes. */

import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../db/database.ts';
import { makeDataDirectory } from '../database-copies.ts';
import { readInbox } from '../inbox.ts';
import { endProcess, type ServerProcess, startProcess } from '../server-process.ts';
import { dumpTables } from '../dump.ts';
import { shapesOf } from '../shapes.ts';

const SLOW_MS = 120_000;
const TYPED = 'Canary-Typed-7#x';
const WRONG = 'Canary-Wrong-7#x';
const SECRET = 'canary-server-secret-0123456789abcdef';

let dir: string;
let server: ServerProcess;
const written = { logs: '', tables: '', mails: '' };
const secrets = new Map<string, string>([
  ['the password', TYPED],
  ['a wrong password', WRONG],
  ['the secret of the server', SECRET],
]);

beforeAll(async () => {
  dir = await makeDataDirectory();
  server = await startProcess({
    PORCHLIGHT_DATA_DIR: dir,
    PORCHLIGHT_SECRET: SECRET,
    LOG_LEVEL: 'debug',
  });
  const refusal = await server.started;
  if (refusal !== null) throw new Error(refusal);
  const visitor = server.visitor();
  const emailAddress = 'canary@example.test';
  await visitor.register({ emailAddress, password: TYPED, subtenantId: 3 });
  await visitor.authenticate(emailAddress, WRONG);
  await visitor.signUp({ emailAddress: 'other@example.test', password: 'x', firstName: TYPED });
  await visitor.post('/api/User/CreateUser', `{"user":{"password":"${TYPED}"`);
  const login = await visitor.signIn(emailAddress, TYPED);
  const { data } = await visitor.call('issueHandoff', {
    body: { choice: null, entrance: 'portal' },
  });
  const token = new URL(data?.url ?? '').searchParams.get('token') ?? '';
  const received = await visitor.request(data?.url ?? '');
  await visitor.request(received.headers.get('location') ?? '');
  secrets.set('the bearer', login.authToken);
  secrets.set('the visit cookie', visitor.cookies.get('visit') ?? '');
  secrets.set(
    'the hand-off token',
    Buffer.from(token, 'base64').toString('utf8').split('.')[2] ?? '',
  );
  secrets.set('the hosted session', visitor.cookies.get('idp_session')?.split('.')[0] ?? '');
  const messages = await readInbox(server.url, emailAddress);
  written.mails = JSON.stringify(messages);
  server.kill('SIGTERM');
  await server.exited;
  written.logs = server.output();
  const database = await openDatabase({ directory: dir });
  await sql`delete from inbox_messages`.execute(database.db);
  written.tables = await dumpTables(database.db);
  await database.close();
}, SLOW_MS);
afterAll(async () => {
  await endProcess(server);
  rmSync(dir, { recursive: true, force: true });
});

test('the search finds what is hidden in any of these shapes', () => {
  for (const shape of [
    `say ${TYPED}`,
    Buffer.from(`{"password":"${TYPED}"}`).toString('base64'),
    Buffer.from(`a${TYPED}`).toString('base64url'),
    Buffer.from(`ab${TYPED}cd`).toString('base64'),
    Buffer.from(TYPED).toString('hex'),
    `?p=${encodeURIComponent(TYPED)}`,
  ]) {
    expect(shapesOf(TYPED).some((each) => shape.includes(each))).toBe(true);
  }
  expect(written.logs).toContain('/api/User/CreateUser');
  expect(written.tables).toContain('canary@example.test');
  expect(written.mails).toContain('canary@example.test');
});

test.each(['logs', 'tables', 'mails'] as const)('[D2] [GEN-12] no secret is in %s', (place) => {
  for (const [name, secret] of secrets) {
    expect(secret.length).toBeGreaterThan(8);
    const found = shapesOf(secret).filter((shape) => written[place].includes(shape));
    expect([name, found]).toEqual([name, []]);
  }
});

test('[R51] and no person is in the logs', () => {
  for (const personal of ['canary@example.test', '5550142290', 'Lind']) {
    expect(written.logs.replaceAll(/Demo accounts[\s\S]*/g, '')).not.toContain(personal);
  }
});
