/** The real process on its embedded database: two starts at once, and an end in a fault. */

import { expect, test } from 'vitest';
import { plantedError, serversForEachTest } from '../testing/start-folder.ts';

const { start } = serversForEachTest();

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
