/** [CON-04] [CON-06] Search and a person's page at a crowded database: no statement reads a big table whole. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAudit } from '../../audit/audit.ts';
import { createRateLimits } from '../../abuse/rate-limits.ts';
import { createClock } from '../../core/clock.ts';
import { demoConsole } from '../../config/console-config.ts';
import type { ServerContext } from '../../core/context.ts';
import { createSecretBox } from '../../crypto/secret-box.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { createOutbox } from '../../jobs/outbox.ts';
import { emailOfCrowd, FILLED, fillDatabase } from '../../testing/crowded-database.ts';
import { findScans, type PlanWatch, watchPlans } from '../../testing/plan-watch.ts';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { SECRET, testConfig } from '../../testing/test-app.ts';
import { readPerson, waysToSignIn } from './person.ts';
import { searchPeople } from './search-people.ts';
import type { Staff } from '../staff.ts';
import { readTimeline } from './timeline.ts';

const SLOW_MS = 600_000;
const ACCOUNTS = 50_000;
const MOST_ROWS = 2500;

let database: TestDatabase;
let watch: PlanWatch;
let watched: Database;
let context: ServerContext;
beforeAll(async () => {
  database = await openTestDatabase('empty');
  await fillDatabase(database.url ?? '', { size: ACCOUNTS, passwordHash: 'a hash' });
  watch = await watchPlans(database.url ?? '');
  watched = await openDatabase({ url: watch.url });
  const { db } = watched;
  const clock = createClock();
  const secretBox = createSecretBox(SECRET);
  const config = testConfig('http://localhost:3000', { console: demoConsole });
  const unused = async () => undefined;
  context = {
    db,
    clock,
    config,
    secretBox,
    audit: createAudit({ db, clock }),
    rateLimits: createRateLimits({ db, clock, secretBox, config: { limitFactor: 1, limits: {} } }),
    outbox: createOutbox({ db, clock, secretBox, onError: () => undefined, onDead: unused }),
  };
}, SLOW_MS);
afterAll(async () => {
  await watched.close();
  await watch.close();
  await database.close();
});

const staff = (role: Staff['role']): Staff => ({
  id: 1,
  subtenantId: 742,
  roleIds: [],
  administers: null,
  houseRoles: [],
  role,
  name: 'Nora',
  visit: { id: crypto.randomUUID(), subtenantId: 742 },
  signInId: 'x',
  isFresh: true,
  isFollowing: false,
});

const scans = () => findScans(watch.take(), { big: new Set(FILLED), mostRows: MOST_ROWS });
const search = (text: string, role: Staff['role'] = 'helpDesk') =>
  searchPeople(context, staff(role), { text, filter: 'all', order: 'name', page: 1 });

test.each([
  // Every account of the crowd has this name.
  ['Ada', 'more'],
  ['ada person', 'more'],
  ['person, a', 'more'],
  // Two beginnings, neither of them a whole word.
  ['pers ad', 'more'],
  ['pers adam', 0],
  ['mar oka', 1],
  ['(202) 000-4711', 1],
  ['001 202 000 4711', 1],
  [`Ada Person <${emailOfCrowd(4711)}>`, 1],
  ['adam person', 0],
  ['person adam', 0],
  [emailOfCrowd(4711), 1],
  ['+1 202 000 4711', 1],
  ['0004711', 1],
  ['margaret okafor', 1],
  ['3f6c0a56-0000-4000-8000-000000000000', 0],
  ['a_%', 0],
] as const)('[CON-04] %s', async (text, expected) => {
  watch.take();
  for (const role of ['helpDesk', 'operator'] as const) {
    const found = await search(text, role);
    expect(found?.hasMore ? 'more' : found?.counts.all).toBe(expected);
  }
  expect(scans()).toEqual([]);
});

test('[CON-06] a person', async () => {
  const [found] = (await search(emailOfCrowd(4711)))?.people ?? [];
  watch.take();
  const person = await readPerson(context, staff('operator'), found?.id ?? 0);
  expect(person?.account.email).toBe(emailOfCrowd(4711));
  if (!person) return;
  await waysToSignIn(context, person);
  await readTimeline(context, person.account.id, { staff: staff('operator'), most: 15 });
  expect(scans()).toEqual([]);
});
