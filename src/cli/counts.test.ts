/** [OPS-13] [OPS-14] Accounts, counts and leads, as an operator sees and changes them. */

import { afterAll, describe, expect, test } from 'vitest';
import { createAudit } from '#server/audit/audit.ts';
import { demoEmail } from '#server/demo/seed.ts';
import { createTestApp, createTestContext } from '#server/testing/test-app.ts';
import { operate as run } from '#server/testing/operate.ts';
import { readCommand } from './verbs.ts';

const CRM = { url: 'https://crm.example', key: 'k', tag: 'free academy user' };

const testApp = await createTestApp({
  limitFactor: 1,
  // No proof of work is asked for here.
  limits: { passwordProofPerIp: { max: 100, windowMs: 900_000 } },
});
const context = await createTestContext();
afterAll(async () => {
  await testApp.close();
  await context.database.close();
});

function operate(words: readonly string[], crm: typeof CRM | null = null) {
  const { db, clock, config } = testApp;
  const audit = createAudit({ db, clock, actor: 'operator:test' });
  return run({ ...context, config: { ...config, crm }, db, clock, audit }, ...words);
}

const idOf = async (name: string) => {
  const { data } = await operate(['user', 'show', demoEmail(name)]);
  return (data as { id: number }).id;
};

describe('[OPS-13] user unlock', () => {
  test('the wait of one account ends; that of another from the same network does not', async () => {
    const [mine, other] = [demoEmail('member'), demoEmail('agent')];
    const visitor = testApp.visitor();
    for (const email of [mine, other]) {
      for (let n = 0; n < 5; n += 1) await visitor.authenticate(email, 'Wrong-Password-1');
    }
    for (const email of [mine, other]) {
      expect((await visitor.authenticate(email, 'Porchlight-1')).status).toBe(429);
    }
    const { data } = await operate(['user', 'unlock', mine]);
    expect(data).toMatchObject({ id: await idOf('member') });
    expect((data as { count: number }).count).toBeGreaterThan(0);
    expect((await visitor.authenticate(mine, 'Porchlight-1')).status).toBe(200);
    expect((await visitor.authenticate(other, 'Porchlight-1')).status).toBe(429);
    const event = await testApp.db
      .selectFrom('audit_events')
      .select(['user_id', 'actor'])
      .where('kind', '=', 'account.unlocked')
      .execute();
    expect(event).toEqual([{ user_id: await idOf('member'), actor: 'operator:test' }]);
  });

  test('limits list counts and names nobody; limits clear lets one limit begin anew for all', async () => {
    const { text, data } = await operate(['limits', 'list']);
    const rows = data as { name: string; counted: number; full: number }[];
    const row = rows.find(({ name }) => name === 'passwordPerAccountAndIp');
    expect(row?.full).toBeGreaterThan(0);
    expect(text).not.toMatch(/@|127\.0\.0\.1/);
    await expect(operate(['limits', 'clear', 'passwordPerAccountIp'])).rejects.toThrow(
      'Did you mean passwordPerAccountAndIp?',
    );
    const cleared = await operate(['limits', 'clear', 'passwordPerAccountAndIp']);
    expect(cleared.data).toEqual({ limit: 'passwordPerAccountAndIp', count: row?.counted });
    const visitor = testApp.visitor();
    expect((await visitor.authenticate(demoEmail('agent'), 'Porchlight-1')).status).not.toBe(429);
  });
});

test('[OPS-13] user list: by role, subtenant and status', async () => {
  const named = async (...words: string[]) =>
    ((await operate(['user', 'list', ...words])).data as { email: string }[]).map(
      ({ email }) => email,
    );
  expect(await named('--role', '5')).toEqual([demoEmail('agent'), demoEmail('member-agent')]);
  expect(await named('--subtenant', '3')).toEqual([demoEmail('academy')]);
  expect(await named('--status', 'inactive')).toEqual([demoEmail('suspended')]);
  expect(await named('--count', '2')).toHaveLength(2);
});

test('[OPS-14] leads wait without a CRM, go to the outbox with one, and are deleted when it is said', async () => {
  const { db, clock } = testApp;
  const lead = { name: 'Ida Berg', email: 'ida@example.test', tags: [] };
  const keys = ['lead:1', 'lead:2', 'lead:3'];
  await db
    .insertInto('received_leads')
    .values(
      keys.map((idempotency_key) => ({
        idempotency_key,
        lead: JSON.stringify(lead),
        received_at: clock.now(),
      })),
    )
    .execute();
  const { data, text } = await operate(['leads', 'list']);
  expect(data).toMatchObject(keys.map((key) => ({ key, lead })));
  expect(text).toContain('  Ida Berg  ida@example.test\n');
  await expect(operate(['leads', 'resend', 'all'])).rejects.toThrow('CRM_URL is not set');
  await expect(operate(['leads', 'resend', 'lead:9'], CRM)).rejects.toThrow('no such lead');
  expect((await operate(['leads', 'resend', 'lead:1'], CRM)).data).toEqual({ count: 1 });
  const jobs = await db
    .selectFrom('outbox')
    .select(['kind', 'idempotency_key'])
    .where('kind', '=', 'lead')
    .execute();
  expect(jobs).toEqual([{ kind: 'lead', idempotency_key: 'lead:1:resent' }]);
  await expect(operate(['leads', 'purge', 'all'])).rejects.toThrow('Nothing was done.');
  expect((await operate(['leads', 'purge', 'all', '--yes'])).data).toEqual({ count: 2 });
  expect((await operate(['leads', 'list'])).text).toBe('No leads are kept here.\n');
  const kinds = await db
    .selectFrom('audit_events')
    .select('kind')
    .where('kind', 'like', 'leads.%')
    .orderBy('id')
    .execute();
  expect(kinds.map(({ kind }) => kind)).toEqual(['leads.resent', 'leads.purged']);
});

test.each([
  ['user', 'list', '--status', 'asleep'],
  ['user', 'list', 'x'],
  ['user', 'unlock'],
  ['limits'],
  ['limits', 'clear'],
  ['limits', 'list', 'x'],
  ['leads', 'resend'],
  ['leads', 'resend', 'all', '--yes'],
  ['leads', 'drop', 'all'],
])('anything else says how it is meant: %s %s', (...words) => {
  expect(() => readCommand(words)).toThrow('Usage:');
});
