/** The configured secret is changed: real processes, one after the other, on one database. */

import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOutbox } from '../jobs/outbox.ts';
import { createSecretBox } from './secret-box.ts';
import { demoEmail } from '../demo/seed.ts';
import { runCommand } from '../testing/command.ts';
import { endProcess, type ServerProcess, startProcess } from '../testing/server-process.ts';
import { makeDataDirectory } from '../testing/database-copies.ts';
import { openProcessDatabase, type ProcessDatabase } from '../testing/test-database.ts';
import { newestCode } from '../testing/inbox.ts';
import { createTestContext } from '../testing/test-app.ts';
import { operate } from '../testing/operate.ts';

const SLOW_MS = 300_000;
const OLD = 'the first secret of these tests, long enough';
const NEW = 'the second secret of these tests, long enough';
/** Secrets of this file have commas in them. */
const PREVIOUS = JSON.stringify([OLD]);

let dir: string;
let database: ProcessDatabase;
const running: ServerProcess[] = [];
beforeEach(async () => {
  database = await openProcessDatabase();
  dir = await makeDataDirectory(database.url);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map(endProcess));
  await database.close();
  rmSync(dir, { recursive: true, force: true });
});

const where = (): Record<string, string> => ({
  PORCHLIGHT_DATA_DIR: dir,
  ...(database.url && { DATABASE_URL: database.url }),
});

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startProcess({ ...where(), ...env });
  running.push(server);
  return server;
}

async function stop(server: ServerProcess): Promise<void> {
  server.kill('SIGTERM');
  expect(await server.exited).toBe(0);
}

/** The process of `porchlight keys`. */
async function keys(env: Record<string, string>, ...args: string[]) {
  const { code, out, err } = await runCommand({ ...where(), ...env }, 'keys', ...args);
  return { code, said: out + err };
}

describe('[R55] another secret', () => {
  test(
    'nobody is signed out, what was begun goes on, and after reseal the old one is needed no more',
    async () => {
      const first = await start({ PORCHLIGHT_SECRET: OLD });
      expect(await first.started).toBeNull();
      const PORT = new URL(first.url).port;
      const [settled, waiting] = [first.visitor(), first.visitor()];
      await settled.signIn('member');
      const { userId, otpId } = await waiting.reachCode(demoEmail('top'));
      const otp = await newestCode(first.url, demoEmail('top'));
      await stop(first);

      const unread = await start({ PORT, PORCHLIGHT_SECRET: NEW });
      expect((await unread.started)?.trim()).toBe(
        'The stored keys do not open with PORCHLIGHT_SECRET. If it was changed, put the old one into PORCHLIGHT_PREVIOUS_SECRETS.',
      );
      expect(await unread.exited).toBe(1);

      const both = { PORCHLIGHT_SECRET: NEW, PORCHLIGHT_PREVIOUS_SECRETS: PREVIOUS };
      const second = await start({ PORT, ...both });
      expect(await second.started).toBeNull();
      // Bearer, visit, CSRF token and hosted session of before; a code of before.
      const body = { choice: null, entrance: 'portal' } as const;
      expect((await settled.call('issueHandoff', { body })).status).toBe(200);
      await settled.complete();
      await waiting.ok('verifyOtp', { body: { id: otpId, createdBy: userId, otp } });
      await waiting.complete();
      await stop(second);

      const listed = await keys(both, 'list');
      expect(listed.said.match(/an earlier one/g)).toHaveLength(4);
      const { said: rows } = await keys(both, 'list', '--json');
      expect(rows.match(/"isUnderEarlierSecret":true/g)).toHaveLength(4);
      const resealed = await keys(both, 'reseal');
      expect(resealed.said).toContain('Nothing needs PORCHLIGHT_PREVIOUS_SECRETS any more');
      expect(resealed.code).toBe(0);

      const third = await start({ PORT, PORCHLIGHT_SECRET: NEW });
      expect(await third.started).toBeNull();
      expect((await settled.call('issueHandoff', { body })).status).toBe(200);
      await waiting.complete();
      // Beside a running server: PostgreSQL lets it, the embedded database says whom to stop.
      const beside = await keys({ PORCHLIGHT_SECRET: NEW }, 'rotate', '--now');
      expect(beside.said).toContain(
        database.url ? 'Published the next keys.' : `(process ${third.pid}). Stop it first`,
      );
      expect(beside.code).toBe(database.url ? 0 : 1);
    },
    SLOW_MS,
  );

  test(
    'reseal tells when a secret is missing, and changes nothing that it cannot open',
    async () => {
      const first = await start({ PORCHLIGHT_SECRET: OLD });
      expect(await first.started).toBeNull();
      await stop(first);
      const wrong = await keys({ PORCHLIGHT_SECRET: NEW }, 'reseal');
      expect(wrong.said).toMatch(/Opens with none of the secrets: [1-9]/);
      expect(wrong.code).toBe(1);
      expect((await keys({ PORCHLIGHT_SECRET: OLD }, 'list')).said).not.toContain('earlier secret');
    },
    SLOW_MS,
  );
});

describe('[R55] [R41] jobs that wait while the secret changes', () => {
  async function withJob() {
    const done: unknown[] = [];
    const handlers = { lead: async (payload: unknown) => void done.push(payload) };
    const context = await createTestContext(handlers, { secret: NEW, previousSecrets: [OLD] });
    const before = createOutbox({
      ...context,
      secretBox: createSecretBox(OLD),
      onError: () => {},
    });
    const add = (name: string) =>
      before.add(context.db, { kind: 'lead', payload: { name }, idempotencyKey: name });
    return { context, done, add };
  }

  test('are done by the new secret, and stay readable after reseal', async () => {
    const { context, done, add } = await withJob();
    await add('one');
    await context.outbox.runDue();
    expect(done).toEqual([{ name: 'one' }]);
    await add('two');
    const { text, data } = await operate(context, 'keys', 'reseal');
    expect(text).toMatch(/^Sealed anew under PORCHLIGHT_SECRET: 1\. Already so: 0\.\n/);
    expect(data).toEqual({ count: 1, fresh: 0, lost: 0 });
    const restarted = createOutbox({
      ...context,
      secretBox: createSecretBox(NEW),
      onError: () => {},
    });
    restarted.define({ kind: 'lead', deliver: async (payload) => void done.push(payload) });
    await restarted.runDue();
    expect(done).toEqual([{ name: 'one' }, { name: 'two' }]);
    expect(context.errors).toEqual([]);
    await context.database.close();
  });

  test('that are done while reseal runs do not come back', async () => {
    const { context, add } = await withJob();
    for (let n = 0; n < 60; n += 1) await add(`job ${n}`);
    await Promise.all([
      operate(context, 'keys', 'reseal'),
      (async () => {
        while ((await context.outbox.runDue()) > 0);
      })(),
    ]);
    const rows = await context.db.selectFrom('outbox').select(['payload', 'done_at']).execute();
    expect(rows.filter((row) => row.done_at === null)).toEqual([]);
    expect(rows.filter((row) => row.payload.sealed !== undefined)).toEqual([]);
    await context.database.close();
  });
});
