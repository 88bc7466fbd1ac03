import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedDemo, demoEmail } from '#server/demo/seed.ts';
import { createTestContext } from '#server/testing/test-app.ts';
import { operate as run } from '#server/testing/operate.ts';
import { readCommand } from './verbs.ts';

let context: Awaited<ReturnType<typeof createTestContext>>;
const operate = async (...words: string[]) => (await run(context, 'user', ...words)).text;

beforeAll(async () => {
  context = await createTestContext();
  await seedDemo(context.db, context.clock, async () => 'a-password-hash');
});
afterAll(() => context.database.close());

test('[PRV-01] porchlight user export: by address or id, as JSON', async () => {
  const email = demoEmail('top');
  const text = await operate('export', email.toUpperCase());
  const { tables } = JSON.parse(text) as { tables: { users: { id: number; email: string }[] } };
  expect(tables.users).toMatchObject([{ email }]);
  const byId = await operate('export', String(tables.users[0]?.id));
  expect(JSON.parse(byId)).toMatchObject({ tables: { users: [{ email }] } });
  expect(text).not.toContain('a-password-hash');
});

test('[PRV-02] porchlight user erase: only when it is said for sure, and once', async () => {
  const email = demoEmail('agent');
  await expect(operate('erase', email)).rejects.toThrow('Nothing was done.');
  const { data } = await run(context, 'user', 'erase', email, '--yes');
  expect(data).toMatchObject({ erased: { users: 1 }, hostedUserId: null, linked: [] });
  await expect(operate('erase', email, '--yes')).rejects.toThrow(`There is no account ${email}.`);
  expect(await operate('erase', demoEmail('top'), '--yes')).toMatch(
    /^The account \d+ is erased\.\nuser_roles: 1\nusers: 1\n/m,
  );
  const events = await context.db
    .selectFrom('audit_events')
    .orderBy('id')
    .select(['kind', 'user_id'])
    .execute();
  expect(events.filter(({ kind }) => kind === 'account.erased')).toHaveLength(2);
});

test.each([[], ['export'], ['erase'], ['export', 'a@b.test', '--yes'], ['forget', 'a@b.test']])(
  'anything else says how it is meant: %j',
  (...words) => {
    expect(() => readCommand(['user', ...words.flat()])).toThrow('Usage:\n  porchlight user');
  },
);
