/** The real process: how it refuses, survives, and ends. */

import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../db/database.ts';
import { freePort } from '../testing/free-port.ts';
import { serversForEachTest } from '../testing/start-folder.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import type { Visitor } from '../testing/test-app.ts';

// Starting an embedded database three times on a busy machine takes a while.
const SLOW_MS = 120_000;

const { directory, start, refused } = serversForEachTest();

describe('a start that cannot be', { timeout: SLOW_MS }, () => {
  test('a bad environment: every fault at once, no stack', async () => {
    const { said, code } = await refused({ PORCHLIGHT_MODE: 'production', PORT: 'eighty' });
    expect(code).toBe(1);
    expect(said).toMatch(/^Porchlight cannot start\. Please mend these settings:\n/);
    for (const name of [
      'PORT',
      'DATABASE_URL',
      'PORCHLIGHT_SECRET',
      'SMTP_URL',
      'PORCHLIGHT_MODULES_FILE',
      'must begin with https',
    ]) {
      expect(said).toContain(name);
    }
    expect(said).not.toMatch(/^\s+at /m);
  });

  test('a database that is not there', async () => {
    const port = await freePort();
    const { said, code } = await refused({
      DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none`,
    });
    expect(code).toBe(1);
    expect(said).toMatch(/^The database cannot be reached: .*ECONNREFUSED/);
    expect(said?.trim().split('\n')).toHaveLength(1);
  });
});

describe('[R54] an error that nothing caught', { timeout: SLOW_MS }, () => {
  /** Throws from outside every request, as a bug in a timer or an emitter would. */
  const planted = (what: string) =>
    `--import data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${what} })`)}`;

  test.each([
    ['thrown', "throw new Error('planted')"],
    ['rejected', "void Promise.reject(new Error('planted'))"],
  ])('%s: it is logged, and the process closes in order and ends with 1', async (_how, what) => {
    const server = await start({ NODE_OPTIONS: planted(what), PORCHLIGHT_DRAIN_SECONDS: '0' });
    expect(await server.started).toBeNull();
    server.kill('SIGUSR2');
    expect(await server.exited).toBe(1);
    const line =
      server
        .output()
        .split('\n')
        .find((text) => text.includes('planted')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ level: 60, err: { message: 'planted' } });
    // Its embedded database was closed: another process opens it.
    const next = await start();
    expect(await next.started).toBeNull();
  });
});

describe('[R38] kill -9 while people sign up', () => {
  let shared: TestDatabase | null = null;
  afterEach(async () => {
    await shared?.close();
    shared = null;
  });

  test(
    'whoever had an answer is there once, and can go on with the code',
    async () => {
      const database = await openTestDatabase('empty');
      shared = database;
      const where: Record<string, string> = database.url ? { DATABASE_URL: database.url } : {};
      const first = await start(where);
      expect(await first.started).toBeNull();

      const acknowledged: { visitor: Visitor; emailAddress: string; userId: number }[] = [];
      const people = Array.from({ length: 24 }, async (_, n) => {
        const visitor = first.visitor();
        for (let turn = 0; ; turn += 1) {
          const emailAddress = `crash-${n}-${turn}@example.test`;
          const answer = await visitor.signUp({ emailAddress });
          if (answer.data) acknowledged.push({ visitor, emailAddress, userId: answer.data.userId });
          if (acknowledged.length >= 40) first.kill('SIGKILL');
        }
      });
      await Promise.allSettled(people);
      await first.exited;

      const second = await start({ ...where, PORT: new URL(first.url).port });
      expect(await second.started).toBeNull();
      for (const { visitor, emailAddress, userId } of acknowledged) {
        const sent = await visitor.sendCode(userId, 'USER_ACTIVATION', 3);
        expect([emailAddress, sent.status]).toEqual([emailAddress, 200]);
      }
      const [some] = acknowledged;
      expect((await some?.visitor.register({ emailAddress: some.emailAddress }))?.userId).toBe(
        some?.userId,
      );
      second.kill('SIGTERM');
      expect(await second.exited).toBe(0);

      const after = await openDatabase(
        database.url ? { url: database.url } : { directory: directory() },
      );
      const users = await after.db.selectFrom('users').select(['id', 'email_canonical']).execute();
      const halves = await after.db
        .selectFrom('users')
        .leftJoin('registrations', 'registrations.user_id', 'users.id')
        .select('users.email')
        .where('users.status', '=', 'pending')
        .where('registrations.id', 'is', null)
        .execute();
      await after.close();
      const idOf = new Map(users.map((user) => [user.email_canonical, user.id]));
      expect(idOf.size).toBe(users.length);
      for (const { emailAddress, userId } of acknowledged)
        expect(idOf.get(emailAddress)).toBe(userId);
      expect(halves).toEqual([]);
    },
    SLOW_MS,
  );
});
