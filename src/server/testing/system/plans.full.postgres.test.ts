/** [OPS-63] Every statement of every path has a plan that does not grow with the number of accounts. */

import { hash } from '@node-rs/argon2';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FILLED, fillDatabase } from '../crowded-database.ts';
import { goEveryPath } from '../every-path.ts';
import { findScans, type PlanWatch, watchPlans } from '../plan-watch.ts';
import { openTestDatabase, type TestDatabase } from '../test-database.ts';
import { PASSWORD } from '../visitor.ts';

const SLOW_MS = 600_000;
const ACCOUNTS = 50_000;
/** A batch of the clean-up, with what hangs on its rows. */
const MOST_ROWS = 2500;
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let database: TestDatabase;
let watch: PlanWatch;

beforeAll(async () => {
  database = await openTestDatabase('empty');
  const passwordHash = await hash(PASSWORD, COST);
  await fillDatabase(database.url ?? '', { size: ACCOUNTS, passwordHash });
  watch = await watchPlans(database.url ?? '');
}, SLOW_MS);
afterAll(async () => {
  await watch.close();
  await database.close();
});

test(
  '[OPS-63] with 50,000 accounts no path reads a table whole',
  async () => {
    const scans: string[] = [];
    let statements = 0;
    const onDone = (path: string) => {
      const executed = watch.take();
      statements += executed.length;
      const limits = { big: new Set(FILLED), mostRows: MOST_ROWS };
      scans.push(...findScans(executed, limits).map((scan) => `${path}: ${scan}`));
    };
    await goEveryPath({ databaseUrl: watch.url, size: ACCOUNTS, onDone });
    expect(scans).toEqual([]);
    expect(statements).toBeGreaterThan(1000);
  },
  SLOW_MS,
);

test('[OPS-63] every foreign key has an index', async () => {
  const { rows } = await sql`
    select conrelid::regclass::text || '.' || conname as name from pg_constraint as fk
    where contype = 'f'
      -- Subtenants are few, and none is ever deleted.
      and confrelid <> 'subtenants'::regclass and not exists (
      select 1 from pg_index where indrelid = fk.conrelid and indkey[0] = fk.conkey[1])
    order by 1`.execute(database.db);
  expect(rows).toEqual([]);
});
