/** The real process on its embedded database: who may open a data directory. */

import { expect, test } from 'vitest';
import { runCommand } from '../testing/command.ts';
import { serversForEachTest } from '../testing/start-folder.ts';

const { directory, start, refused } = serversForEachTest();

test('[R39] a second process and a command are told whom to stop; the first ends in order, and the next one starts', async () => {
  const first = await start();
  expect(await first.started).toBeNull();
  const second = await refused({});
  expect(second.code).toBe(1);
  expect(second.said?.trim()).toBe(
    `The data directory ${directory()} is in use by another Porchlight (process ${first.pid}). Stop it first, or set PORCHLIGHT_DATA_DIR to another directory.`,
  );
  const beside = await runCommand({ PORCHLIGHT_DATA_DIR: directory() }, 'keys', 'list');
  expect([beside.code, beside.err]).toEqual([
    1,
    expect.stringContaining(`(process ${first.pid}). Stop it first`),
  ]);
  const visitor = first.visitor();
  const { userId } = await visitor.register({ emailAddress: 'kept@example.test' });
  first.kill('SIGTERM');
  expect(await first.exited).toBe(0);
  const third = await start();
  expect(await third.started).toBeNull();
  const again = third.visitor();
  expect((await again.signIn('kept@example.test', 'Sunny-Porch-7')).loggedInUserId).toBe(userId);
});
