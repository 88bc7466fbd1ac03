/** [CON-36] Messages, sign-ins, audit and the staff of a house at a crowded database: no statement reads a big table whole. */

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRateLimits } from '../../abuse/rate-limits.ts';
import { createClock } from '../../core/clock.ts';
import { demoConsole } from '../../config/console-config.ts';
import type { FullContext } from '../../access/context.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { FILLED, fillDatabase } from '../../testing/crowded-database.ts';
import { findScans, type PlanWatch, watchPlans } from '../../testing/plan-watch.ts';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { testConfig } from '../../testing/test-app.ts';
import type { Staff } from '../staff.ts';
import { auditArea } from './audit.ts';
import { readChannels } from './message-figures.ts';
import { startOfDay } from './shown-people.ts';
import { readHouses, readLost } from './sign-in-figures.ts';
import { staffList } from './staff.ts';
import { readUndelivered } from './undelivered.ts';
import { adminContextOf } from '../../testing/admin-context.ts';

const SLOW_MS = 600_000;
const ACCOUNTS = 50_000;
/** The list of the audit log counts up to ten thousand events. */
const MOST_ROWS = 10_100;

let database: TestDatabase;
let watch: PlanWatch;
let watched: Database;
let context: FullContext;
beforeAll(async () => {
  database = await openTestDatabase('empty');
  await fillDatabase(database.url ?? '', { size: ACCOUNTS, passwordHash: 'a hash' });
  watch = await watchPlans(database.url ?? '');
  watched = await openDatabase({ url: watch.url });
  const { db } = watched;
  const clock = createClock();
  const config = testConfig('http://localhost:3000', { console: demoConsole });
  const command = adminContextOf({ db, clock, config });
  const rateLimits = createRateLimits({ ...command, config: { limitFactor: 1, limits: {} } });
  context = { ...command, rateLimits };
}, SLOW_MS);
afterAll(async () => {
  await watched.close();
  await watch.close();
  await database.close();
});

const staff: Staff = {
  id: 1,
  subtenantId: 742,
  roleIds: [],
  administers: null,
  houseRoles: [],
  role: 'operator',
  name: 'Nora',
  visit: { id: crypto.randomUUID(), subtenantId: 742 },
  signInId: 'x',
  isFresh: true,
  isFollowing: false,
};

const scans = () => findScans(watch.take(), { big: new Set(FILLED), mostRows: MOST_ROWS });

test('[CON-36] messages', async () => {
  watch.take();
  const courier = {
    channels: () => [{ channel: 'email', provider: 'x', state: 'closed' }] as const,
  };
  const midnight = await startOfDay(context);
  for (const house of [null, 742]) await readChannels(context, courier, { midnight, house });
  await readUndelivered(context, staff);
  expect(scans()).toEqual([]);
});

test('[CON-36] sign-ins of a month: events of other kinds are not read', async () => {
  watch.take();
  await readHouses(context, 'month', null);
  const lost = { period: 'month', house: 742, step: 'tried', offset: 0, most: 25 } as const;
  await readLost(context, lost);
  expect(scans()).toEqual([]);
});

test('[HOU-09] the staff of a house, some among thousands of members', async () => {
  await sql`insert into user_roles (user_id, role_id)
    select id, 3 from users where shadow_of is null order by id limit 300 on conflict do nothing`.execute(
    context.db,
  );
  await sql`analyze user_roles`.execute(context.db);
  const house = await context.db
    .selectFrom('subtenants')
    .selectAll()
    .where('id', '=', 742)
    .executeTakeFirstOrThrow();
  const place = { path: '', isHouse: false, back: { href: '', label: '' } };
  watch.take();
  const { list } = staffList(context, house, place);
  const { rows, lead } = await list.read({ typed: {}, offset: 0, most: 50, staff });
  expect([rows.length, lead]).toEqual([50, expect.stringMatching(/newest 200 of 29\d/)]);
  expect(scans()).toEqual([]);
});

test.each([
  {},
  { kind: 'console.looked' },
  { kind: 'login.succeeded', outcome: 'success' },
  { staff: 'staff:4711' },
  { person: '10000004711' },
  { from: '2026-01-01', to: '2026-01-02' },
])('[CON-36] audit, %j', async (typed) => {
  watch.take();
  const { list } = auditArea(context);
  if (!list) throw new Error('The audit has a list.');
  await list.read({ typed, offset: 0, most: 50, staff });
  expect(scans()).toEqual([]);
});
