import { afterAll, expect, test } from 'vitest';
import { RATE_LIMITS } from '../config/limits.ts';
import { AppError } from '../http/app-error.ts';
import { createTestContext } from '../testing/test-app.ts';
import { rateLimitKey } from './rate-limits.ts';
import { createLimitNotes } from './refusals.ts';

const logged: string[] = [];
const context = await createTestContext();
const notes = createLimitNotes({ ...context, log: (limit) => void logged.push(limit) });
afterAll(() => context.database.close());

const audited = async () =>
  (
    await context.db.selectFrom('audit_events').orderBy('id').select(['kind', 'details']).execute()
  ).map(({ kind, details }) => [kind, details.limit]);

test('[LIM-09] a refusing limit is in the log once an hour for a limit and a network', async () => {
  const [ip, other] = ['198.51.100.1', '198.51.100.2'];
  for (const from of [ip, ip, other, ip]) await notes.refused('otpPerIp', from);
  await notes.refused('resetPerIp', ip);
  expect(logged).toEqual(['otpPerIp', 'otpPerIp', 'resetPerIp']);
  context.clock.advance(61 * 60);
  await notes.refused('otpPerIp', ip);
  expect(logged.splice(0)).toHaveLength(4);
  // The refusal has an event of its own.
  expect(await audited()).toEqual([]);
});

test('[LIM-09] S43: a thousand refusals of one network at once ask the database once', async () => {
  const ip = '198.51.100.9';
  const asks = async () =>
    (
      await context.db
        .selectFrom('limits')
        .select('points')
        .where('key', '=', rateLimitKey(context.secretBox, [RATE_LIMITS.refusalNotice, 'any', ip]))
        .execute()
    ).map(({ points }) => points);
  const flood = () => Promise.all(Array.from({ length: 1000 }, () => notes.refused('any', ip)));
  await flood();
  expect(await asks()).toEqual([1]);
  context.clock.advance(60);
  await flood();
  expect(await asks()).toEqual([2]);
  expect(logged.splice(0)).toEqual(['any']);
});

test('what was held back in a call that went on is in the audit log as well', async () => {
  const full = new AppError('TOO_MANY', { limit: 'textPerNumber' });
  for (const error of [full, full, new AppError('NO_SESSION'), new Error('something else')]) {
    await notes.heldBack(error, '198.51.100.3');
  }
  expect(logged).toEqual(['textPerNumber']);
  expect(await audited()).toEqual([['limit.refused', 'textPerNumber']]);
});
