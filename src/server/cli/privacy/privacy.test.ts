import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertAccounts } from '../../accounts/account-store.ts';
import { sealSurveyText } from '../../accounts/survey-text.ts';
import { createAudit } from '../../audit/audit.ts';
import { createSealing } from '../../audit/sealing.ts';
import { verifyAudit } from '../../audit/verify.ts';
import { createSecretBox } from '../../crypto/secret-box.ts';
import { demoEmail } from '../../demo/seed.ts';
import { isOpenJob } from '../../jobs/open-jobs.ts';
import { createTestApp, SECRET, type TestApp } from '../../testing/test-app.ts';
import { erasePerson } from './erase.ts';
import { exportPerson } from './export.ts';
import { findByWord } from './person.ts';
import { LEFT_OUT, SOURCES } from './personal-data.ts';

const EMAIL = 'Wilhelmina.Quist@example.test';
const MOBILE = '5550147731';
const FIRST = 'Wilhelmina';
const LAST = 'Quistgaard';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp({ limitFactor: 50 });
});
afterAll(() => testApp.close());

const deps = () => {
  const { db, clock } = testApp;
  return { db, clock, secretBox: createSecretBox(SECRET), audit: createAudit({ db, clock }) };
};

/** Who signed up, signed in, chose a role, answered the survey, forgot the password, and has things waiting. */
async function livedHere(): Promise<number> {
  const { db, clock, app } = testApp;
  const visitor = testApp.visitor();
  const person = { emailAddress: EMAIL, firstName: FIRST, lastName: LAST, mobileNumber: MOBILE };
  await visitor.register(person);
  await visitor.signIn(EMAIL, 'Sunny-Porch-7');
  await visitor.ok('forgotPassword', { body: { userName: EMAIL, emailID: EMAIL } });
  // Somebody else types the same address: a form under a row that stands in for the account.
  await testApp.visitor().signUp({ ...person, subtenantId: 3, password: 'Another-Pass-8' });
  await app.outbox.settle();
  const account = await findByWord(db, EMAIL);
  const id = account?.id ?? 0;
  const other = await findByWord(db, demoEmail('member'));
  await db
    .insertInto('linked_accounts')
    .values({ user_id: other?.id ?? 0, primary_id: id, linked_at: clock.now() })
    .execute();
  await db
    .insertInto('consents')
    .values({ user_id: id, client_id: 'app', scopes: ['openid'], changed_at: clock.now() })
    .execute();
  await db
    .insertInto('survey_answers')
    .values({
      id: crypto.randomUUID(),
      user_id: id,
      subject_id: 213,
      response_id: 419,
      ...sealSurveyText(deps().secretBox, `My niece ${LAST}`),
      created_at: clock.now(),
    })
    .execute();
  // What waits while the provider is down, and what was given up.
  for (const dead_at of [null, clock.now()]) {
    await app.outbox.add(db, {
      kind: 'lead',
      payload: { email: EMAIL.toLowerCase(), phone: `+1${MOBILE}`, name: `${FIRST} ${LAST}` },
      idempotencyKey: `lead:waiting:${String(dead_at)}`,
    });
    await db
      .updateTable('outbox')
      .set({ dead_at, run_at: new Date(clock.now().getTime() + 3_600_000) })
      .where('idempotency_key', '=', `lead:waiting:${String(dead_at)}`)
      .execute();
  }
  await db
    .insertInto('received_leads')
    .values({
      idempotency_key: 'lead:earlier',
      lead: JSON.stringify({ email: EMAIL, phone: `+1${MOBILE}`, firstName: FIRST }),
      received_at: clock.now(),
    })
    .execute();
  await createSealing(deps()).seal();
  return id;
}

describe('[PRV-01] [PRV-02] [R52] a person', () => {
  test('is exported whole, without a secret; and erased whole, with the chain of the audit log unbroken', async () => {
    const id = await livedHere();
    const { db } = testApp;
    const passwordHash = (await findByWord(db, EMAIL))?.password_hash ?? '';
    const data = await exportPerson(deps(), id);
    const text = JSON.stringify(data);
    for (const known of [EMAIL, MOBILE, FIRST, LAST, 'My niece']) expect(text).toContain(known);
    expect(await testApp.dump()).not.toContain('My niece');
    for (const secret of [
      passwordHash,
      'code_hmac',
      'key_hash',
      'token_hash',
      'password_hash',
      'sealed_text',
    ]) {
      expect(text).not.toContain(secret);
    }
    const { tables = {}, waiting } = data ?? {};
    expect(Object.keys(tables).toSorted()).toEqual(Object.keys(SOURCES).toSorted());
    for (const table of [
      'users',
      'user_roles',
      'registrations',
      'sign_ins',
      'otp_codes',
      'messages',
      'known_devices',
      'consents',
      'linked_accounts',
      'survey_answers',
      'reset_links',
      'visits',
      'inbox_messages',
      'received_leads',
      'hosted_payloads',
      'audit_events',
    ]) {
      expect([table, tables[table]?.length]).not.toEqual([table, 0]);
    }
    expect(waiting).toEqual(['lead', 'lead']);

    // In no batch yet.
    await deps().audit({ kind: 'signOut', userId: id });
    const before = await db.selectFrom('audit_events').orderBy('id').select('id').execute();
    const own = await db
      .selectFrom('audit_events')
      .select('id')
      .where('user_id', '=', id)
      .orderBy('id')
      .execute();
    const erased = await erasePerson(deps(), id);
    expect(erased).toMatchObject({ users: 2, outbox: 2, linked_accounts: 1, survey_answers: 1 });
    const dump = (await testApp.dump()).toLowerCase();
    for (const known of [EMAIL, MOBILE, FIRST, LAST, 'my niece']) {
      expect(dump).not.toContain(known.toLowerCase());
    }
    // Nobody else lost anything.
    expect(await findByWord(db, demoEmail('member'))).toBeDefined();
    const after = await db
      .selectFrom('audit_events')
      .orderBy('id')
      .select(['id', 'kind'])
      .execute();
    expect(after.length).toBeGreaterThanOrEqual(before.length);
    expect(after.map(({ kind }) => kind)).toContain('account.erased');
    const named = await db
      .selectFrom('audit_events')
      .orderBy('id')
      .select('id')
      .where('user_id', '=', id)
      .execute();
    expect(named).toEqual([]);
    // What stands for the account holds its events together, the latest among them.
    const left = await db
      .selectFrom('audit_events')
      .select(['subject', 'ip'])
      .where(
        'id',
        'in',
        own.map((row) => row.id),
      )
      .orderBy('id')
      .execute();
    const [{ subject } = { subject: null }] = left;
    expect(subject).toEqual(expect.any(String));
    expect(left).toEqual(own.map(() => ({ subject, ip: null })));
    await createSealing(deps()).seal();
    const faults: unknown[] = [];
    await verifyAudit(deps(), (fault) => void faults.push(fault));
    expect(faults).toEqual([]);
    expect(await erasePerson(deps(), id)).toBeNull();
  });

  test('who shares a browser with somebody else takes nothing of theirs away', async () => {
    const { db } = testApp;
    const shared = testApp.visitor();
    await shared.register({ emailAddress: 'first.of.two@example.test' });
    await shared.signIn('first.of.two@example.test', 'Sunny-Porch-7');
    await shared.signIn(demoEmail('member'));
    const member = await findByWord(db, demoEmail('member'));
    const signIns = () =>
      db
        .selectFrom('sign_ins')
        .select('id')
        .where('user_id', '=', member?.id ?? 0)
        .execute();
    const before = await signIns();
    expect(before).not.toEqual([]);
    const first = await findByWord(db, 'first.of.two@example.test');
    await erasePerson(deps(), first?.id ?? 0);
    expect(await signIns()).toEqual(before);
  });
});

describe('[PRV-02] DEF-1: waiting jobs', () => {
  const [SHORT, LONG] = ['4155550', '4155550123'];

  /** What waits for others: their addresses, numbers and ids hold those of the erased person as a part. */
  const ofOthers = (id: number) => [
    { kind: 'message', payload: { channel: 'email', to: 'other@example.test', text: 'Hello' } },
    { kind: 'message', payload: { channel: 'email', to: 'not.erase.me@example.test' } },
    { kind: 'message', payload: { channel: 'sms', to: `+1${LONG}`, text: `${id}` } },
    { kind: 'lead', payload: { email: 'erase.me@example.test.org', phone: `+1${LONG}` } },
    { kind: 'logoutNotice', payload: { accountId: `${id}0`, clientId: 'app', sid: `${id}` } },
    { kind: 'moduleSignOut', payload: { sub: `1${id}`, module: 'admin' } },
    { kind: 'event', payload: { type: 'x', data: { userId: id + 1 } } },
  ];
  const ofPerson = (id: number, mobile: string) => [
    { kind: 'message', payload: { channel: 'email', to: 'Erase.Me@example.test' } },
    { kind: 'lead', payload: { email: 'erase.me@example.test', phone: '' } },
    { kind: 'logoutNotice', payload: { accountId: `${id}`, clientId: 'app', sid: 'a' } },
    { kind: 'event', payload: { type: 'x', data: { userId: id } } },
    ...(mobile ? [{ kind: 'message', payload: { channel: 'sms', to: `+1${mobile}` } }] : []),
  ];

  test.each([
    ['without a phone', ''],
    ['with a phone that is a part of another', SHORT],
  ])('erasing a person %s leaves what waits for others', async (_what, mobile) => {
    const { db, app, clock } = testApp;
    const [account] = await insertAccounts(db, [
      {
        email: 'Erase.Me@example.test',
        first_name: 'Erase',
        last_name: 'Me',
        dial_code: mobile && '+1',
        mobile,
        subtenant_id: 742,
        created_at: clock.now(),
      },
    ]);
    const id = account?.id ?? 0;
    const open = () => db.selectFrom('outbox').select('id').where(isOpenJob).execute();
    const before = (await open()).length;
    const queue = async (jobs: readonly { kind: string; payload: Record<string, unknown> }[]) => {
      for (const job of jobs) {
        await app.outbox.add(db, { ...job, idempotencyKey: crypto.randomUUID() });
      }
    };
    await queue([...ofOthers(id), ...ofPerson(id, mobile)]);
    expect(await erasePerson(deps(), id)).toMatchObject({ outbox: ofPerson(id, mobile).length });
    expect((await open()).length).toBe(before + ofOthers(id).length);
    await db.deleteFrom('outbox').execute();
  });
});

describe('[PRV-03] the catalogue of what is kept', () => {
  test('every table of the database has its line: exported and erased, or a reason', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' order by 1`.execute(testApp.db);
    const known = [...Object.keys(SOURCES), ...Object.keys(LEFT_OUT)];
    expect(rows.map(({ name }) => name)).toEqual(known.toSorted());
  });

  test('every column that names a person is in a table that is exported and erased', async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct table_name as name from information_schema.columns
      where table_schema = 'public'
      and column_name ~ '(user_id|account_id|primary_id|email|mobile|phone|first_name|recipient|destination|login_hint|lead|^ip$)'
      order by 1`.execute(testApp.db);
    const exported = Object.keys(SOURCES);
    expect(rows.map(({ name }) => name).filter((name) => !exported.includes(name))).toEqual([]);
  });

  test('every table is found by an index', async () => {
    const { db } = testApp;
    const person = {
      ids: [1],
      emails: ['a@b.test'],
      phones: ['+1'],
      visits: [crypto.randomUUID()],
    };
    const scanned: string[] = [];
    await db.transaction().execute(async (transaction) => {
      // Without it an empty table is always read whole.
      await sql`set local enable_seqscan = off`.execute(transaction);
      await sql`set local jit = off`.execute(transaction);
      for (const [table, { where }] of Object.entries(SOURCES)) {
        const { rows } = await sql<{ 'QUERY PLAN': string }>`
          explain select * from ${sql.table(table)} where ${where(person)}`.execute(transaction);
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        if (plan.includes('Seq Scan')) scanned.push(plan);
      }
    });
    expect(scanned).toEqual([]);
  });
});
