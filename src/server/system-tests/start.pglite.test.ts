/** The real process on its embedded database: how it refuses, and who may open a data directory. */

import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { serversForEachTest } from '../testing/start-folder.ts';

// Starting an embedded database three times on a busy machine takes a while.
const SLOW_MS = 120_000;

const { directory, start, refused } = serversForEachTest();

describe('a start that cannot be', () => {
  test(
    'a port that is taken',
    async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as { port: number };
      try {
        const { said, code } = await refused({ PORT: String(port) });
        expect(code).toBe(1);
        expect(said?.trim()).toBe(
          `Port ${port} is already in use. Stop the other program, or set PORT to a free one.`,
        );
      } finally {
        other.close();
      }
    },
    SLOW_MS,
  );
});

describe('[R39] one data directory, one process', () => {
  test(
    'the second is told whom to stop; the first ends in order, and the next one starts',
    async () => {
      const first = await start();
      expect(await first.started).toBeNull();
      const second = await refused({});
      expect(second.code).toBe(1);
      expect(second.said?.trim()).toBe(
        `The data directory ${directory()} is in use by another Porchlight (process ${first.pid}). Stop it first, or set PORCHLIGHT_DATA_DIR to another directory.`,
      );
      const visitor = first.visitor();
      const { userId } = await visitor.register({ emailAddress: 'kept@example.test' });
      first.kill('SIGTERM');
      expect(await first.exited).toBe(0);
      const third = await start();
      expect(await third.started).toBeNull();
      const again = third.visitor();
      expect((await again.signIn('kept@example.test', 'Sunny-Porch-7')).loggedInUserId).toBe(
        userId,
      );
    },
    SLOW_MS,
  );

  test(
    'of two at the same instant exactly one runs, and what it made can be read after a restart',
    async () => {
      const both = await Promise.all([start(), start()]);
      const outcomes = await Promise.all(both.map((server) => server.started));
      const winner = both[outcomes.indexOf(null)];
      expect(outcomes.filter((said) => said === null)).toHaveLength(1);
      expect(outcomes.find((said) => said !== null)).toContain(`(process ${winner?.pid})`);
      winner?.kill('SIGTERM');
      expect(await winner?.exited).toBe(0);
      // Keys rest sealed under the secret of that first start.
      expect(await (await start()).started).toBeNull();
    },
    SLOW_MS,
  );
});
