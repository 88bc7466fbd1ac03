/** [CON-30] The demo's month: the same in every demo, with a person for each reason not to get in. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HELP_DESK_ROLES } from '#domain/help-desk/console-rights.ts';
import { whyCannotSignIn } from '#domain/help-desk/why-cannot-sign-in.ts';
import { findAccount } from '../accounts/account-store.ts';
import { signInFactsOf } from '../access/sign-in-facts.ts';
import { createSealing } from '../audit/sealing.ts';
import { verifyAudit } from '../audit/verify.ts';
import { createTestContext } from '../testing/test-app.ts';
import { seedMonth } from './month.ts';
import { monthUntil } from './month-events.ts';
import { type Case, CASES, casePerson } from './month-people.ts';
import { seedDemo } from './seed.ts';

const context = await createTestContext();
beforeAll(async () => {
  const hash = await seedDemo(context.db, context.clock, async () => 'a hash');
  await seedMonth(context, hash ?? '');
});
afterAll(() => context.database.close());

test(
  '[CON-30] its chain verifies, and it is the same month in every demo',
  { tags: 'long' },
  async () => {
    await createSealing(context).seal();
    const { faultCount, open, rows } = await verifyAudit(context, () => undefined);
    const { events } = monthUntil(context.clock.now());
    expect({ faultCount, open, rows }).toEqual({ faultCount: 0, open: 0, rows: events.length });
    const now = new Date('2026-11-24T12:00:00Z');
    expect(monthUntil(now)).toEqual(monthUntil(now));
  },
);

test.each([
  ['wrongPassword', 'wrongPassword'],
  ['switchedOff', 'switchedOff'],
  ['neverVerified', 'neverVerified'],
  ['locked', 'locked'],
  ['mailComesBack', 'mailComesBack'],
  ['noRole', 'noRole'],
  // A demo has every module: the timeline alone tells of it.
  ['moduleMissing', 'nothing'],
  ['landline', 'phoneGetsNoTexts'],
  ['codeNotTyped', 'codeNotTyped'],
  ['nothing', 'nothing'],
] as const)('[CON-30] the person of %s: %s', async (name: Case, cause) => {
  const account = await findAccount(context.db, casePerson(name).id);
  if (!account) throw new Error('No account');
  expect(whyCannotSignIn(await signInFactsOf(context, account))).toBe(cause);
});

test('[CON-30] R9: the guide says which of them a help desk does not find', () => {
  const guide = readFileSync('docs/operations/help-desk.md', 'utf8');
  const said = [...guide.matchAll(/^\| ([^|(]+?)( \(operator\))? \| `[a-z.]+` \|/gm)];
  expect(said.map(([, name, mark]) => [name, mark !== undefined])).toEqual(
    CASES.map(casePerson).map(({ person, role }) => [
      person.join(' '),
      !HELP_DESK_ROLES.includes(role),
    ]),
  );
});

test('[CON-30] a second start adds nothing', async () => {
  expect(await seedDemo(context.db, context.clock, async () => 'a hash')).toBeNull();
});
