import { Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { openTestDatabase } from '../testing/test-database.ts';
import { openConfigured } from './database.ts';

test('[OPS-67] an instance opens as many connections as its setting says, and no more', async () => {
  const direct = await openTestDatabase();
  const settings = { databaseUrl: direct.url, databasePool: 3, dataDirectory: '' };
  const { db, close } = await openConfigured(settings);
  const pids = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
      return rows[0]?.pid;
    }),
  );
  expect(new Set(pids).size).toBe(3);
  await close();
  await direct.close();
});

test('[R42] after ten silent seconds the system looks whether a connection still leads somewhere, also that of long work', async () => {
  const direct = await openTestDatabase();
  const lookAfter = vi.spyOn(Socket.prototype, 'setKeepAlive');
  try {
    const settings = { databaseUrl: direct.url, databasePool: 3, dataDirectory: '' };
    const { maintenance, close } = await openConfigured(settings);
    expect(lookAfter.mock.calls).toEqual([[true, 10_000]]);
    await maintenance((db) => sql`select 1`.execute(db));
    expect(lookAfter.mock.calls).toEqual([
      [true, 10_000],
      [true, 10_000],
    ]);
    await close();
  } finally {
    lookAfter.mockRestore();
    await direct.close();
  }
});
