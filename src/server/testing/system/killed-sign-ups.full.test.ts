/** A process that is killed while people sign up, on either engine: what was answered is on disk. */

import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../db/database.ts';
import { serversForEachTest } from '../start-folder.ts';
import { openProcessDatabase, type ProcessDatabase } from '../test-database.ts';
import type { Visitor } from '../test-app.ts';

// Starting an embedded database twice on a busy machine takes a while.
const SLOW_MS = 120_000;

const { directory, start } = serversForEachTest();

describe('[R38] kill -9 while people sign up', () => {
  let shared: ProcessDatabase | null = null;
  afterEach(async () => {
    await shared?.close();
    shared = null;
  });

  test(
    'whoever had an answer is there once, and can go on with the code',
    async () => {
      const database = await openProcessDatabase('empty');
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
      const signUps = await after.db.selectFrom('registrations').select('password_hash').execute();
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
      // Other tests hash with less; the real process never does.
      const hashes = signUps.flatMap(({ password_hash }) => password_hash ?? []);
      expect(hashes.length).toBeGreaterThanOrEqual(acknowledged.length);
      expect(hashes.filter((hash) => !hash.includes('$m=19456,t=2,p=1$'))).toEqual([]);
    },
    SLOW_MS,
  );
});
