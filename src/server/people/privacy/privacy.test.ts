import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertAccounts } from '../../accounts/account-store.ts';
import { sealSurveyText } from '../../accounts/survey-text.ts';
import { createSealing } from '../../audit/sealing.ts';
import { verifyAudit } from '../../audit/verify.ts';
import { demoEmail } from '../../demo/seed.ts';
import { operate } from '../../testing/operate.ts';
import { createTestApp } from '../../testing/test-app.ts';
import { erasePerson } from './erase.ts';
import { exportPerson } from './export.ts';
import { findByWord } from '../../accounts/person.ts';
import { LEFT_OUT, SOURCES } from '../../accounts/personal-data.ts';
import { adminContextOf } from '../../testing/admin-context.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const EMAIL = 'Wilhelmina.Quist@example.test';
const MOBILE = '5550147731';
const FIRST = 'Wilhelmina';
const LAST = 'Quistgaard';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));

const deps = () => adminContextOf(testApp);

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

  test(
    'who shares a browser with somebody else takes nothing of theirs away',
    { tags: 'long' },
    async () => {
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
    },
  );
});

describe('[PRV-05] [DEF-1] of the jobs that wait, only those of the erased person go', () => {
  const SHORT = '5550142';
  const LONG = `${SHORT}29`;
  const person = (id: number, mobile: string) => ({
    id,
    email: `${id}@example.test`,
    first_name: 'Ada',
    last_name: 'Winslow',
    dial_code: mobile && '+1',
    mobile,
    subtenant_id: 742,
    created_at: testApp.clock.now(),
  });
  type Job = readonly [kind: string, payload: Readonly<Record<string, unknown>>];
  const jobsOf = (id: number, mobile: string): readonly Job[] => [
    [
      'message',
      { channel: 'email', to: `${id}@example.test`, text: `42 420 +1${SHORT}`, link: null },
    ],
    ['lead', { email: `${id}@example.test`, phone: `+1${mobile || SHORT}` }],
    ['event', { type: 'signIn.complete', data: { userId: id, subtenantId: 742 } }],
    ['logoutNotice', { accountId: String(id), clientId: 'app', sid: 's' }],
    ['moduleSignOut', { module: 'top', sub: String(id), sid: 's' }],
    ['hostedUser', { userId: id }],
    ['hostedSessions', { userId: id }],
    ['ownerWarning', { email: `${id}@example.test` }],
    ['resetAsked', { email: `${id}@EXAMPLE.test`, visit: { id: 'v' }, ip: '::1' }],
    ['signUpByClient', { form: { email: `${id}@example.test` }, visit: {}, ip: '::1' }],
    ['passwordless', { channel: 'email', contact: `${id}@example.test`, ip: '::1' }],
    ...(mobile === '' ? [] : textsTo(`+1${mobile}`)),
  ];
  const textsTo = (to: string): readonly Job[] => [
    ['message', { channel: 'sms', to, text: '@a.test #1' }],
    ['passwordless', { channel: 'sms', contact: to, ip: '::1' }],
  ];

  const waiting = async () =>
    testApp.db
      .selectFrom('outbox')
      .select('idempotency_key as key')
      .where('idempotency_key', 'like', 'waits:%')
      .orderBy('idempotency_key')
      .execute();

  async function plant(): Promise<void> {
    const { db, app, clock } = testApp;
    await db.deleteFrom('outbox').execute();
    const people = [
      [4201, ''],
      [42, ''],
      [420, SHORT],
      [942, LONG],
    ] as const;
    await db
      .deleteFrom('users')
      .where(
        'id',
        'in',
        people.map(([id]) => id),
      )
      .execute();
    await insertAccounts(
      db,
      people.map(([id, mobile]) => person(id, mobile)),
    );
    const run_at = new Date(clock.now().getTime() + 3_600_000);
    // At once: between two commits the worker would deliver some of them.
    await db.transaction().execute(async (transaction) => {
      for (const [id, mobile] of people) {
        for (const [index, [kind, payload]] of jobsOf(id, mobile).entries()) {
          const idempotencyKey = `waits:${id}:${kind}:${index}`;
          await app.outbox.add(transaction, { kind, payload, idempotencyKey });
        }
      }
      await transaction.updateTable('outbox').set({ run_at }).execute();
    });
  }

  test.each([
    [42, 'has no phone, and an id that is a part of other ids'],
    [4201, 'has no phone'],
    [420, 'has a number that is the beginning of another'],
    [942, 'has a number that another is a part of'],
  ])('%i %s', async (id) => {
    await plant();
    const before = await waiting();
    // Applications and modules are told of sessions that ended before.
    const own = before.filter(
      ({ key }) => key.startsWith(`waits:${id}:`) && !/logoutNotice|moduleSignOut/.test(key),
    );
    const { data } = await operate(
      { ...deps(), config: testApp.config },
      'user',
      'erase',
      String(id),
      '--yes',
    );
    expect(data).toMatchObject({ erased: { outbox: own.length } });
    expect(await waiting()).toEqual(before.filter((row) => !own.includes(row)));
  });

  test(
    'a text with a code goes with the account of its code, not with a number that two people share',
    { tags: 'long' },
    async () => {
      const { db, clock, app } = testApp;
      const mobileNumber = '5550140088';
      const ids: number[] = [];
      for (const emailAddress of [
        'one.of.a.couple@example.test',
        'other.of.a.couple@example.test',
      ]) {
        const visitor = testApp.visitor();
        const created = (await visitor.signUp({ emailAddress, mobileNumber })).data;
        await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION');
        ids.push(created?.userId ?? 0);
      }
      await app.outbox.settle();
      const textOf = (id: number) =>
        db
          .selectFrom('messages')
          .select('idempotency_key')
          .where('channel', '=', 'sms')
          .where('otp_id', 'in', (codes) =>
            codes.selectFrom('otp_codes').select('id').where('user_id', '=', id),
          );
      // As they are while the provider is down.
      const text = JSON.stringify({ channel: 'sms', to: `+1${mobileNumber}`, text: '@a.test #1' });
      await db
        .updateTable('outbox')
        .set({
          done_at: null,
          run_at: new Date(clock.now().getTime() + 3_600_000),
          payload: JSON.stringify({ sealed: deps().secretBox.encrypt('outbox', text) }),
        })
        .where((eb) => eb.or(ids.map((id) => eb('idempotency_key', 'in', textOf(id)))))
        .execute();
      const [one = 0, other = 0] = ids;
      const othersText = await textOf(other).executeTakeFirstOrThrow();
      expect(await erasePerson(deps(), one)).toMatchObject({ outbox: 1 });
      expect(
        await db
          .selectFrom('outbox')
          .select('idempotency_key')
          .where('done_at', 'is', null)
          .execute(),
      ).toContainEqual(othersText);
    },
  );
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
