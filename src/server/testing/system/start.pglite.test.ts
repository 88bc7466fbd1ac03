/** The real process on its embedded database: who may open a data directory. */

import { expect, test } from 'vitest';
import { serversForEachTest } from '../start-folder.ts';

const { directory, start, refused } = serversForEachTest();

test('[R39] a second process is told whom to stop; the first ends in order', async () => {
  const first = await start();
  expect(await first.started).toBeNull();
  const second = await refused({});
  expect(second.code).toBe(1);
  expect(second.said?.trim()).toBe(
    `The data directory ${directory()} is in use by another Porchlight (process ${first.pid}). Stop it first, or set PORCHLIGHT_DATA_DIR to another directory.`,
  );
  await first.visitor().register({ emailAddress: 'first@example.test' });
  first.kill('SIGTERM');
  expect(await first.exited).toBe(0);
});
