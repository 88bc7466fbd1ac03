/** [R45] A worker in every instance, on one database. */

import { afterEach, expect, test } from 'vitest';
import { createSecretBox } from '../crypto/secret-box.ts';
import { type HttpReceiver, startHttpReceiver } from '../testing/receivers.ts';
import { serversForEachTest } from '../testing/start-folder.ts';
import { SECRET } from '../testing/test-app.ts';
import { createTestClock } from '../testing/test-clock.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createOutbox } from './outbox.ts';
import { until } from '../testing/until.ts';

const SLOW_MS = 300_000;
const JOBS = 1000;
const INSTANCES = ['a', 'b'];

const { start } = serversForEachTest();
let database: TestDatabase | undefined;
let crm: HttpReceiver | undefined;
afterEach(async () => {
  await crm?.close();
  await database?.close();
});

/** Written as the server writes them. */
async function write({ db }: TestDatabase): Promise<void> {
  const outbox = createOutbox({
    db,
    clock: createTestClock(),
    secretBox: createSecretBox(SECRET),
    onError: () => undefined,
  });
  await db.transaction().execute(async (transaction) => {
    for (let n = 1; n <= JOBS; n += 1) {
      const payload = { email: `person-${n}@example.test` };
      await outbox.add(transaction, { kind: 'lead', payload, idempotencyKey: `lead:${n}` });
    }
  });
}

test(
  'a thousand jobs, two processes, one database: each job is done once',
  async () => {
    const { url, db } = (database = await openTestDatabase());
    const { url: crmUrl, received, watch } = (crm = await startHttpReceiver());
    const sharesOf = () =>
      INSTANCES.map((name) => received.filter(({ path }) => path === `/${name}`).length);
    // Nobody is answered before both have begun: a quick one would do it all alone.
    const haveBegun = Promise.withResolvers<void>();
    watch((stage) => {
      if (sharesOf().every((share) => share > 0)) haveBegun.resolve();
      return stage === 'whole' ? haveBegun.promise : undefined;
    });
    const servers = await Promise.all(
      INSTANCES.map((name) =>
        start({
          DATABASE_URL: url ?? '',
          PORCHLIGHT_SECRET: SECRET,
          CRM_URL: `${crmUrl}/${name}`,
          CRM_KEY: 'a key that is long enough',
        }),
      ),
    );
    for (const server of servers) expect(await server.started).toBeNull();
    await write(database);
    await until(() => received.length >= JOBS);
    for (const server of servers) {
      server.kill('SIGTERM');
      expect(await server.exited).toBe(0);
    }
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([JOBS, JOBS]);
    for (const share of sharesOf()) expect(share).toBeGreaterThan(0);
    const undone = await db
      .selectFrom('outbox')
      .select('id')
      .where((eb) => eb.or([eb('done_at', 'is', null), eb('attempts', '!=', 1)]))
      .execute();
    expect(undone).toEqual([]);
  },
  SLOW_MS,
);
