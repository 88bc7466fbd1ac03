import { rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/database.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { makeDataDirectory } from '../testing/database-copies.ts';
import { openProcessDatabase } from '../testing/test-database.ts';
import { runCommand } from '../testing/command.ts';
import { createTestClock } from '../testing/test-clock.ts';
import { SECRET } from '../testing/test-app.ts';
import { PermanentError } from './errors.ts';
import { createOutbox } from './outbox.ts';

const SLOW_MS = 60_000;

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** The operator's command, as it is typed. */
async function command(env: Record<string, string>, ...args: string[]) {
  const { code, out, err } = await runCommand(env, 'outbox', ...args);
  return { code, said: out + err };
}

/** A database with one dead letter, one that expired, and one that waits. */
async function prepare() {
  const test = await openProcessDatabase();
  const dir = await makeDataDirectory(test.url);
  cleanUps.push(
    () => rmSync(dir, { recursive: true, force: true }),
    () => test.close(),
  );
  const where: Record<string, string> = test.url ? { DATABASE_URL: test.url } : {};
  const received: unknown[] = [];
  let isMended = false;
  const open = () => openDatabase(test.url ? { url: test.url } : { directory: dir });
  async function work<T>(task: (context: ReturnType<typeof kitOf>) => Promise<T>): Promise<T> {
    const database = await open();
    try {
      await migrate(database.db);
      return await task(kitOf(database.db));
    } finally {
      await database.close();
    }
  }
  const kitOf = (db: Awaited<ReturnType<typeof open>>['db']) => {
    const clock = createTestClock();
    const outbox = createOutbox({
      db,
      clock,
      secretBox: createSecretBox(SECRET),
      onError: () => undefined,
    });
    outbox.define({
      kind: 'lead',
      async deliver(payload, key) {
        if (!isMended) throw new PermanentError('unavailable', 'The lead endpoint answered 401');
        received.push([payload, key]);
      },
    });
    return { db, clock, outbox };
  };
  const env = { PORCHLIGHT_DATA_DIR: dir, PORCHLIGHT_SECRET: SECRET, ...where };
  return { work, env, received, mend: () => void (isMended = true) };
}

describe('[API-03] dead letters', () => {
  test(
    'are seen and sent again by a command; what expired is gone',
    async () => {
      const { work, env, received, mend } = await prepare();
      await work(async ({ db, clock, outbox }) => {
        const job = (n: number, expiresAt?: Date) => ({
          kind: 'lead',
          payload: { email: `canary-${n}@example.test` },
          idempotencyKey: `lead:${n}`,
          ...(expiresAt && { expiresAt }),
        });
        await outbox.add(db, job(1));
        await outbox.add(db, job(2));
        await outbox.add(db, job(3, new Date(clock.now().getTime() - 1)));
        await outbox.settle();
      });
      const listed = await command(env, 'list');
      expect(listed.code).toBe(0);
      const lines = listed.said.trim().split('\n');
      expect(lines).toHaveLength(3);
      expect(listed.said).toContain('lead:1');
      expect(listed.said).toContain('The lead endpoint answered 401');
      expect(listed.said).not.toContain('canary');

      mend();
      const id = lines.find((line) => line.includes('lead:2'))?.split(/\s+/)[0] ?? '';
      expect(await command(env, 'retry', id)).toEqual({ code: 0, said: '1 will be sent again.\n' });
      await work(async ({ outbox }) => outbox.settle());
      expect(received).toEqual([[{ email: 'canary-2@example.test' }, 'lead:2']]);

      expect((await command(env, 'retry', 'all')).said).toBe('1 will be sent again.\n');
      await work(async ({ outbox }) => outbox.settle());
      expect(received).toHaveLength(2);
      expect((await command(env, 'list')).said).toBe('No dead letters.\n');
      // A job that runs each night is no fault because there is nothing to do.
      expect(await command(env, 'retry', 'all')).toMatchObject({ code: 0 });
      expect(await command(env, 'retry', id)).toMatchObject({ code: 1 });
    },
    SLOW_MS,
  );

  test('a command that is none says what there is', async () => {
    const all = [[], ['retry'], ['drop', 'all']].map((args) =>
      command({ PORCHLIGHT_DATA_DIR: '/nowhere' }, ...args),
    );
    for (const { code, said } of await Promise.all(all)) {
      expect([code, said]).toEqual([2, expect.stringContaining('Usage:\n  porchlight outbox')]);
    }
  });
});
