/** [R44] [SEC-07] A machine whose clock is wrong, beside a database whose clock is right. */

import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { serversForEachTest } from '../testing/start-folder.ts';
import { SECRET } from '../testing/test-app.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';

const SLOW_MS = 180_000;
const { start } = serversForEachTest();
let database: TestDatabase | undefined;
afterEach(() => database?.close());

/** The whole process lives so many seconds ahead, its libraries included. */
const ahead = (seconds: number) => {
  const script = `
    const Real = Date, off = ${seconds * 1000};
    globalThis.Date = class extends Real {
      constructor(...given) { given.length ? super(...given) : super(Real.now() + off) }
      static now() { return Real.now() + off }
    }`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` };
};

test.each([
  ['two hours ahead', 7200, 503],
  ['two hours behind', -7200, 503],
  ['three seconds ahead', 3, 200],
])(
  'on a machine %s (%i s) codes live as long as anywhere, and %i says whether it is ready',
  async (_, seconds, status) => {
    const { url, db } = (database = await openTestDatabase());
    const server = await start({
      DATABASE_URL: url ?? '',
      PORCHLIGHT_SECRET: SECRET,
      ...ahead(seconds),
    });
    expect(await server.started).toBeNull();
    expect((await fetch(new URL('/api/health/ready', server.url))).status).toBe(status);

    const visitor = server.visitor();
    const emailAddress = 'clock@example.test';
    const created = (await visitor.signUp({ emailAddress })).data;
    await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION');
    const { rows } = await sql<{ life: string; age: string }>`
      select extract(epoch from expires_at - sent_at) as life,
        extract(epoch from clock_timestamp() - sent_at) as age from otp_codes`.execute(db);
    expect(Number(rows[0]?.life)).toBe(120);
    // By the database's clock it was sent just now: not before the process started, and not in the future.
    expect(Number(rows[0]?.age)).toBeGreaterThan(-1);
    expect(Number(rows[0]?.age)).toBeLessThan(SLOW_MS / 1000);
  },
  SLOW_MS,
);
