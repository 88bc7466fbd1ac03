import { afterAll, expect, test } from 'vitest';
import { findAccountByEmail } from '#server/accounts/account-store.ts';
import { inTransaction } from '#server/db/in-transaction.ts';
import { confirmByCode, keyToConfirm, startAppCode } from '#server/access/authenticator.ts';
import { askStaffChange } from '#server/contacts/staff-changes.ts';
import { appCodeAt } from '#server/testing/app-code.ts';
import { seedDemo, demoEmail } from '#server/demo/seed.ts';
import { createTestContext } from '#server/testing/test-app.ts';
import { operate as run } from '#server/testing/operate.ts';
import { readCommand } from './verbs.ts';

const operate = async (...words: string[]) => (await run(context, 'user', ...words)).text;

const context = await createTestContext();
await seedDemo(context.db, context.clock, async () => 'a-password-hash');
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

test('[APP-11] porchlight user remove-app-code: told, written down, and once', async () => {
  const { db } = context;
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', demoEmail('staff'))
    .executeTakeFirstOrThrow();
  const session = { userId: id, signInId: '' };
  await startAppCode(context, session);
  const key = (await keyToConfirm(context, session))?.key ?? '';
  const codes = await confirmByCode(context, session, appCodeAt(key, context.clock.now()));
  const shown = await operate('show', String(id));
  expect(JSON.parse(shown)).toMatchObject({ appCode: { recoveryCodesLeft: 10 } });
  const exported = await operate('export', String(id));
  for (const secret of [key, ...(codes ?? [])]) expect(exported).not.toContain(secret);
  expect(JSON.parse(exported)).toMatchObject({ tables: { app_codes: [{ user_id: id }] } });

  expect(await operate('remove-app-code', String(id))).toContain('is taken away');
  expect(await operate('remove-app-code', String(id))).toContain('has no app code');
  expect(JSON.parse(await operate('show', String(id)))).toMatchObject({ appCode: null });
  const events = await db
    .selectFrom('audit_events')
    .select(['actor', 'details'])
    .where('kind', '=', 'account.appCodeRemoved')
    .execute();
  expect(events).toMatchObject([{ actor: expect.any(String), details: {} }]);
  // The mails of both changes wait for a server.
  const mails = db.selectFrom('outbox').select('id').where('idempotency_key', 'like', 'account:%');
  expect(await mails.execute()).toHaveLength(2);
  await operate('erase', String(id), '--yes');
  expect(await db.selectFrom('app_codes').select('id').execute()).toEqual([]);
  expect(await db.selectFrom('recovery_codes').select('hash').execute()).toEqual([]);
});

test.each([[], ['export'], ['erase'], ['export', 'a@b.test', '--yes'], ['forget', 'a@b.test']])(
  'anything else says how it is meant: %j',
  (...words) => {
    expect(() => readCommand(['user', ...words.flat()])).toThrow('Usage:\n  porchlight user');
  },
);

test('[CON-12] porchlight user agree-to-change: begins the 72 hours of a change that waits, once', async () => {
  const account = await findAccountByEmail(context.db, demoEmail('member'));
  if (!account) throw new Error('No account');
  const word = String(account.id);
  await expect(operate('agree-to-change', word)).rejects.toThrow('Nothing was done');
  const wanted = {
    what: 'phone',
    contact: 'phone',
    dial_code: '+1',
    mobile: '2125550199',
  } as const;
  const by = { staffId: account.id, isOperator: false, isPersonHere: false };
  await inTransaction(context.db, (db) => askStaffChange({ ...context, db }, account, wanted, by));
  expect(await operate('agree-to-change', word)).toContain('in 72 hours');
  await expect(operate('agree-to-change', word)).rejects.toThrow('Nothing was done');
  expect(
    await context.db
      .selectFrom('staff_changes')
      .select(['agreed_by', 'with_operator'])
      .where('due_at', 'is not', null)
      .execute(),
  ).toEqual([{ agreed_by: null, with_operator: true }]);
});
