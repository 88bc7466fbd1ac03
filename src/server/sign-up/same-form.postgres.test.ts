/** [SRV-02] A4: fifty equal sign-ups of one visit at once, on one instance and on two. */

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilWaiting } from '../testing/row-lock.ts';
import { watchStatements } from '../testing/statements.ts';
import { createTestApp, type TestApp, type Visitor } from '../testing/test-app.ts';

const TOKEN = 'a-metrics-token-of-these-tests-0123456789';
const COPIES = 50;

let one: TestApp;
let other: TestApp;
const statements = watchStatements();
beforeAll(async () => {
  const plugins = [statements.plugin];
  one = await createTestApp({ metricsToken: TOKEN }, null, { plugins });
  const { database, config } = one;
  other = await createTestApp({ metricsToken: TOKEN, publicUrl: config.publicUrl }, null, {
    plugins,
    database: { ...database, close: async () => {} },
  });
});
afterAll(async () => {
  await other.close();
  await one.close();
});

/** How many passwords this instance has hashed or compared. */
async function hashed({ url }: TestApp): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return Number(/^porchlight_hash_wait_seconds_count (\d+)$/m.exec(await answer.text())?.[1]);
}

/** A second instance for the same browser. */
function at(instance: TestApp, { cookies, ip }: Visitor): Visitor {
  const visitor = instance.visitor(ip);
  for (const [name, value] of cookies) visitor.cookies.set(name, value);
  return visitor;
}

test.each([
  ['one instance', () => [one]],
  ['two instances', () => [one, other]],
])('[SRV-02] fifty at once on %s: each hashes once, one account, one answer', async (_, where) => {
  const instances = where();
  const visitor = one.visitor();
  await visitor.ok('getVisit', {});
  const browsers = instances.map((instance) => at(instance, visitor));
  const emailAddress = `fifty-${instances.length}@example.test`;
  const before = await Promise.all(instances.map(hashed));
  statements.take();
  const begun = await one.db.transaction().execute(async (transaction) => {
    // The visit remembers its subtenant last: until then every copy is under way.
    await sql`select 1 from visits for no key update`.execute(transaction);
    const answers = Array.from({ length: COPIES }, (_one, n) =>
      (browsers[n % browsers.length] ?? visitor).signUp({ emailAddress, packageCode: null }),
    );
    await untilWaiting(one.db, instances.length);
    // Each reads its visit, and then waits for the first.
    let read = 0;
    const isOfVisit = (kind: string) => kind === 'SelectQueryNode visits';
    const count = () => (read += statements.take().filter(isOfVisit).length);
    await expect.poll(count, { timeout: 20_000 }).toBe(COPIES);
    for (const instance of instances) await instance.visitor().ok('getVisit', {});
    return { answers };
  });
  const answers = await Promise.all(begun.answers);
  expect(answers.map(({ status }) => status)).toEqual(Array(COPIES).fill(200));
  expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
  const after = await Promise.all(instances.map(hashed));
  expect(after.map((count, n) => count - (before[n] ?? 0))).toEqual(instances.map(() => 1));
  const accounts = one.db.selectFrom('users').select('id').where('email', '=', emailAddress);
  expect(await accounts.execute()).toHaveLength(1);
});
