/** The real process on its embedded database: two starts at once, an end in a fault, and the next start. */

import { expect, test } from 'vitest';
import { runCommand } from '../command.ts';
import { plantedError, serversForEachTest } from '../start-folder.ts';

const { directory, start } = serversForEachTest();

test('[R54] of two at the same instant exactly one runs, and an error that nothing caught leaves what it made whole', async () => {
  const fails = plantedError("throw new Error('planted')");
  const both = await Promise.all([start(fails), start(fails)]);
  const outcomes = await Promise.all(both.map((server) => server.started));
  const winner = both[outcomes.indexOf(null)];
  expect(outcomes.filter((said) => said === null)).toHaveLength(1);
  expect(outcomes.find((said) => said !== null)).toContain(`(process ${winner?.pid})`);
  winner?.kill('SIGUSR2');
  expect(await winner?.exited).toBe(1);
  // It was closed in order, and its keys open with the secret of that first start.
  expect(await (await start()).started).toBeNull();
});

test('[R39] a command beside a process is told whom to stop; the next process has what the first one kept', async () => {
  const first = await start();
  expect(await first.started).toBeNull();
  const beside = await runCommand({ PORCHLIGHT_DATA_DIR: directory() }, 'keys', 'list');
  expect([beside.code, beside.err]).toEqual([
    1,
    expect.stringContaining(`(process ${first.pid}). Stop it first`),
  ]);
  const { userId } = await first.visitor().register({ emailAddress: 'kept@example.test' });
  first.kill('SIGTERM');
  expect(await first.exited).toBe(0);
  const third = await start();
  expect(await third.started).toBeNull();
  const again = third.visitor();
  expect((await again.signIn('kept@example.test', 'Sunny-Porch-7')).loggedInUserId).toBe(userId);
});
