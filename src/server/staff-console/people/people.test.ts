/** [CON-04] [CON-05] [CON-06] Search, looks, and the page of a person. */

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RoleId } from '#domain/people/roles.ts';
import { consoleTexts } from '#locales/operator/console.ts';
import { findAccountByEmail, grantRoles, insertAccounts } from '../../accounts/account-store.ts';
import { foldAllNames } from '../../accounts/name-keys.ts';
import { listAccounts } from '../../people/people.ts';
import { createAudit } from '../../audit/audit.ts';
import { later } from '../../core/clock.ts';
import { hashToken } from '../../crypto/secret-box.ts';
import { demoEmail } from '../../demo/seed.ts';
import { recordFailed } from '../../notifications/courier.ts';
import { type Desk, openDesk } from '../../testing/desk.ts';
import { createTestAppWithPages, type TestApp } from '../../testing/test-app.ts';

const MINUTE = 60;

let testApp: TestApp;
let desk: Desk;
let operator: Desk;
beforeAll(async () => {
  const windowMs = 60 * MINUTE * 1000;
  const limits = { looksPerStaff: { max: 3, windowMs }, looksAlarm: { max: 1, windowMs } };
  testApp = await createTestAppWithPages({ limitFactor: 100, limits });
  desk = await openDesk(testApp, 'staff');
  operator = await openDesk(testApp, 'admin');
});
afterAll(() => testApp.close());

let count = 0;
async function person(
  [first_name, last_name]: readonly [string, string],
  more: { readonly roles?: readonly RoleId[]; readonly subtenantId?: number } = {},
) {
  const now = testApp.clock.now();
  count += 1;
  const [account] = await insertAccounts(testApp.db, [
    {
      email: `desk.${count}@people.test`,
      first_name,
      last_name,
      dial_code: '+1',
      mobile: `21234601${40 + count}`,
      subtenant_id: more.subtenantId ?? 742,
      status: 'active',
      created_at: now,
      activated_at: now,
      password_hash: 'a hash',
    },
  ]);
  if (!account) throw new Error('No account');
  await grantRoles(testApp.db, account.id, more.roles ?? [1]);
  return account;
}

async function names(text: string, from = desk, more = ''): Promise<readonly string[]> {
  const { page } = await from.open(`/console?q=${encodeURIComponent(text)}${more}`);
  if (page?.kind !== 'search') throw new Error('No search');
  return page.found?.people.map(({ name }) => name) ?? [];
}

describe('[CON-04] a person is found', () => {
  let own: Awaited<ReturnType<typeof person>>;
  beforeAll(async () => {
    own = await person(['Maria', 'de la Cruz']);
  });

  test.each([
    'maria',
    'MAR',
    'de la',
    'cruz, maria',
    'maria de la cruz',
    'de la cruz maria',
    'maria de l',
    'desk.1@people.test',
    'Desk.1@',
    '+1 (212) 346-0141',
    '3460141',
  ])('by %j', async (text) => {
    expect(await names(text)).toContain('Maria de la Cruz');
  });

  test('by the id, and by the reference of a request', async () => {
    expect(await names(String(own.id))).toEqual(['Maria de la Cruz']);
    await testApp.db
      .insertInto('audit_events')
      .values({
        at: testApp.clock.now(),
        kind: 'request.failed',
        user_id: own.id,
        visit_id: null,
        ip: null,
        request_id: '3f6c0a56-1111-4000-8000-000000000001',
        details: '{}',
      })
      .execute();
    expect(await names('3f6c0a56-1111-4000-8000-000000000001')).toEqual(['Maria de la Cruz']);
  });

  test.each(['', 'm', '41', '%', '_aria', 'aria', "'; drop table users --"])(
    '%j finds nobody',
    async (text) => expect(await names(text)).not.toContain('Maria de la Cruz'),
  );
});

describe('[CON-04] F16: a name as people say and type it', () => {
  const PEOPLE = [
    [
      'Ángela',
      'Núñez',
      ['Nunez', 'nuñez', 'NÚÑEZ', 'angela nunez', 'nunez, angela', 'nun ang', 'Nu\u0301n\u0303ez'],
    ],
    ['Søren', 'Müller', ['Soren', 'muller', 'Sören', 'Müller soren', 'Mu\u0308ller']],
    ['Soren', 'Muller', ['Søren', 'Müller', 'sören müller']],
    ['Şahin', 'Işık', ['sahin', 'ŞAHİN', 'isik', 'IŞIK', 'ışık şahin']],
    ['Łukasz', 'Strauß', ['lukasz', 'strauss', 'STRAUẞ', 'strauss luk']],
    [
      'Anne-Marie',
      'Smith',
      ['anne marie', 'annemarie', 'Anne-Marie', 'smith annemarie', 'marie', 'anne‑marie s'],
    ],
    ['Annemarie', 'Jones', ['anne marie', 'Anne-Marie Jones', 'jones anne marie']],
    ['Anne Marie', 'Brown', ['annemarie b', 'anne-marie brown', 'brown marie']],
    [
      'María Elena',
      'García López',
      ['garcia maria', 'lopez elena', 'mar gar lop', 'elena', 'garcia lopez, maria'],
    ],
    ['Juan', 'de la Cruz', ['delacruz', 'De La Cruz', 'cruz juan', 'dela cruz', 'juan cruz']],
    ['Sean', 'O’Brien', ["o'brien", 'O’Brien', 'obrien', 'o brien', 'OʼBrien sean', 'O´Brien']],
    ['Sean', "O'Neill", ['o’neill', 'ONEILL', 'sean o´neill']],
    ['Артём', 'Ёлкин', ['артем', 'елкин', 'ЁЛКИН артём']],
    ['Γιώργος', 'Παππάς', ['γιωργος', 'ΠΑΠΠΑΣ']],
    ['محمّد', 'أحمد', ['محمد', 'احمد']],
    ['राम', 'शर्मा', ['राम', 'शर्मा राम']],
    ['Madonna', '', ['madonna', 'MADÓNNA']],
  ] as const;

  for (const [index, [first, last, typed]] of PEOPLE.entries()) {
    const tags = index % 5 === 0 ? [] : ['long'];
    test(`${first} ${last}`, { tags }, async () => {
      const shown = `${first} ${last}`.trim();
      await person([first, last]);
      await person([first, last], { subtenantId: 900 });
      for (const text of typed) {
        const found = await names(text);
        // The one of the own subtenant, and not that of another.
        expect([text, found.filter((name) => name === shown).length]).toEqual([text, 1]);
      }
      expect(await names(`${last}x`)).toEqual([]);
    });
  }

  test('a name that the release before writes is found, and no more by what it was', async () => {
    const { id } = await person(['Vorname', 'Früher']);
    expect(await names('fruher')).toEqual(['Vorname Früher']);
    await sql`update users set last_name = 'Später' where id = ${id}`.execute(testApp.db);
    expect(await names('spater')).toEqual(['Vorname Später']);
    expect(await names('fruher')).toEqual([]);
    await sql`update users set subtenant_id = 900 where id = ${id}`.execute(testApp.db);
    expect(await names('spater')).toEqual([]);
  });

  test('while a crowd waits for its keys, a name is found as it is written', async () => {
    const { id } = await person(['Wartend', 'Größer']);
    await sql`insert into names_to_fold (account)
      select ${id} from generate_series(1, 600)`.execute(testApp.db);
    await sql`delete from name_keys where user_id = ${id}`.execute(testApp.db);
    await sql`update names_to_fold set account = 1 where id > (select min(id) from names_to_fold)`.execute(
      testApp.db,
    );
    expect(await names('größer')).toEqual(['Wartend Größer']);
    expect(await names('grosser')).toEqual([]);
    await foldAllNames(testApp.db);
    expect(await names('grosser')).toEqual(['Wartend Größer']);
    // `porchlight user list grosser`
    const all = { roleIds: [], subtenantId: null, status: null, most: 9 };
    const rows = await listAccounts(testApp, { ...all, text: 'grosser' });
    expect(rows).toMatchObject([{ id }]);
  });
});

describe('[CON-04] F16: numbers and addresses as people write and paste them', () => {
  beforeAll(async () => {
    const { id } = await person(['Phil', 'Numbered']);
    const own = { dial_code: '+1', mobile: '2125557142', email: 'phil@numbers.test' };
    await testApp.db
      .updateTable('users')
      .set({ ...own, email_canonical: own.email })
      .where('id', '=', id)
      .execute();
    const kenyan = await person(['Wanjiru', 'Numbered']);
    await testApp.db
      .updateTable('users')
      .set({ dial_code: '', mobile: '+254712123456' })
      .where('id', '=', kenyan.id)
      .execute();
  });

  test.each([
    '(212) 555-7142',
    '+1 212 555 7142',
    '001 212 555-7142',
    '011 1 212 555 7142',
    '1-212-555-7142',
    '٢١٢٥٥٥٧١٤٢',
    '２１２－５５５－７１４２',
    '212\u00A0555\u00A07142',
    '212–555–7142',
    '212‑555‑7142',
    '\u202A+1 212.555.7142\u202C',
    '212/555/7142',
    'tel:+1-212-555-7142',
    '(212) 555-7142 x123',
    '212 555 7142 ext. 4',
    '555 7142',
    'phil@numbers.test',
    '<phil@numbers.test>',
    'Phil Numbered <phil@numbers.test>',
    '"Numbered, Phil" <Phil@Numbers.test>,',
    'mailto:phil@numbers.test',
    '<mailto:phil@numbers.test>',
    'mailto:phil@numbers.test?subject=Help',
    'phil@\u200Bnumbers.test',
    'PHIL@NUM',
    'phil@numbers.test;',
    '(phil@numbers.test)',
    '„phil@numbers.test“',
    'phil@numbers.test.',
    "'phil@numbers.test'",
    'phil@numbers.test, other@numbers.test',
    'phil＠numbers。test',
    'Phone: 212-555-7142',
    'callto:+12125557142',
    '212•555•7142',
    '212_555_7142',
  ])('%s', async (text) => {
    expect(await names(text)).toEqual(['Phil Numbered']);
  });

  test.each([
    '0712 123456',
    '+254 712 123456',
    '+254 (0) 712 123456',
    '00254712123456',
    '712123456',
  ])('%s', async (text) => {
    expect(await names(text)).toEqual(['Wanjiru Numbered']);
  });
});

test('[CON-04] pages, filters and orders are the server’s', async () => {
  const made = [];
  for (let n = 0; n < 12; n += 1) {
    made.push(await person(['Zoe', `Paged${String.fromCodePoint(97 + n)}`]));
  }
  await testApp.db
    .updateTable('users')
    .set({ status: 'inactive' })
    .where('id', '=', made[3]?.id ?? 0)
    .execute();
  const first = await names('zoe');
  expect([first.length, first[0]]).toEqual([10, 'Zoe Pageda']);
  expect(await names('zoe', desk, '&page=2')).toEqual(['Zoe Pagedk', 'Zoe Pagedl']);
  expect(await names('zoe', desk, '&show=off')).toEqual(['Zoe Pagedd']);
  expect(await names('zoe', desk, '&page=-1&show=x&order=x')).toEqual(first);
});

test('[CON-04] a help desk finds whom it may see; an operator finds everybody but colleagues', async () => {
  await person(['Xenia', 'Member']);
  await person(['Xenia', 'Agent'], { roles: [1, 5] });
  await person(['Xenia', 'Elsewhere'], { subtenantId: 900 });
  await person(['Xenia', 'Staff'], { roles: [3] });
  expect(await names('xenia')).toEqual(['Xenia Member']);
  expect((await names('xenia', operator)).toSorted()).toEqual([
    'Xenia Agent',
    'Xenia Elsewhere',
    'Xenia Member',
  ]);
});

const looksAt = (id: number) =>
  testApp.db
    .selectFrom('audit_events')
    .select('actor')
    .where('kind', '=', 'console.looked')
    .where('user_id', '=', id)
    .execute();

test(
  '[CON-05] opening a person is one look in five minutes; many people in an hour raise one alarm',
  { tags: 'long' },
  async () => {
    const { id: staffId = 0 } = (await findAccountByEmail(testApp.db, demoEmail('admin'))) ?? {};
    const people = [];
    for (let n = 0; n < 6; n += 1) people.push(await person(['Looked', `At${n}`]));
    for (const { id } of people) await operator.open(`/console/people/${id}`);
    const [first] = people;
    await operator.open(`/console/people/${first?.id}`);
    expect(await looksAt(first?.id ?? 0)).toEqual([{ actor: `staff:${staffId}` }]);
    const alarms = await testApp.db
      .selectFrom('audit_events')
      .select(['user_id', 'outcome'])
      .where('kind', '=', 'console.manyLooks')
      .where('user_id', '=', staffId)
      .execute();
    expect(alarms).toEqual([{ user_id: staffId, outcome: 'failure' }]);
    testApp.clock.advance(6 * MINUTE);
    await operator.open(`/console/people/${first?.id}`);
    expect(await looksAt(first?.id ?? 0)).toHaveLength(2);
  },
);

test(
  '[CON-05] a search is one event with a hash of its words, and counts the people that it showed',
  { tags: 'long' },
  async () => {
    const strict = await createTestAppWithPages({
      limits: { looksPerStaff: { max: 4, windowMs: 3_600_000 } },
    });
    try {
      const { db, clock } = strict;
      const seeded = await insertAccounts(
        db,
        ['a', 'b', 'c'].map((end) => ({
          email: `shown.${end}@people.test`,
          first_name: 'Yolanda',
          last_name: `Shown${end}`,
          dial_code: '',
          mobile: '',
          subtenant_id: 742,
          status: 'active' as const,
          created_at: clock.now(),
          activated_at: clock.now(),
        })),
      );
      for (const { id } of seeded) await grantRoles(db, id, [1]);
      const staff = await openDesk(strict, 'staff');
      const searches = () =>
        db
          .selectFrom('audit_events')
          .select(['actor', 'user_id', 'details'])
          .where('kind', '=', 'console.searched')
          .orderBy('id')
          .execute();
      const alarms = async () =>
        (
          await db
            .selectFrom('audit_events')
            .select('id')
            .where('kind', '=', 'console.manyLooks')
            .execute()
        ).length;
      for (const text of ['yolanda', 'Yolanda', 'nobody-at-all'])
        await staff.open(`/console?q=${text}`);
      const events = await searches();
      expect(events.map(({ details }) => details['shown'])).toEqual([3, 3, 0]);
      const [first, again, other] = events.map(({ details }) => details['words']);
      expect([first === again, first === other]).toEqual([true, false]);
      expect(JSON.stringify(events)).not.toMatch(/yolanda|nobody/i);
      expect(events[0]).toMatchObject({
        actor: expect.stringMatching(/^staff:\d+$/),
        user_id: null,
      });
      // The same search again counted nobody again.
      expect(await alarms()).toBe(0);
      await staff.open('/console?q=shown.a');
      expect(await alarms()).toBe(0);
      await staff.open('/console?q=shown.b');
      expect(await alarms()).toBe(1);
    } finally {
      await strict.close();
    }
  },
);

test('[CON-05] the page of a verb is a look, too', async () => {
  const { id } = await person(['Verb', 'Page']);
  await desk.open(`/console/people/${id}/suspend`);
  expect(await looksAt(id)).toHaveLength(1);
});

test(
  '[CON-07] of a person who has died the account is switched off, and no mail goes out',
  { tags: 'long' },
  async () => {
    const { id, email } = await person(['Late', 'Person']);
    const helper = await person(['Left', 'Helper']);
    const now = testApp.clock.now();
    await testApp.db
      .insertInto('helpers')
      .values({
        id: 'helper-of-late-person',
        member_id: id,
        helper_id: helper.id,
        email: helper.email,
        email_canonical: helper.email,
        relation: 'my son',
        asked_at: now,
        added_at: now,
        ends_at: later(now, 60 * MINUTE * 1000),
      })
      .execute();
    const of = `/console/people/${id}`;
    await operator.stepUp(`${of}/suspend`);
    // A change that waits: the suspension stops it.
    await operator.send(`${of}/correctPhone`, { phone: '+1 212 346 0139' }, of);
    const mails = async () =>
      (await Promise.all([email, helper.email].map((to) => testApp.inbox(to)))).flat();
    const before = await mails();
    const refused = await operator.send(`${of}/mailReset`, { how: 'died' }, of);
    expect(JSON.stringify(refused)).toContain(consoleTexts.howProblem);
    await operator.send(`${of}/suspend`, { how: 'died' }, of);
    expect(await findAccountByEmail(testApp.db, email)).toMatchObject({ status: 'inactive' });
    expect(await mails()).toEqual(before);
    await operator.send(`${of}/resume`, { how: 'called' }, of);
    await operator.send(`${of}/suspend`, { how: 'called' }, of);
    expect(await mails()).toHaveLength(before.length + 2);
  },
);

describe('[CON-14] an address that was changed', () => {
  const HOUR = 60 * MINUTE;
  let moved: Awaited<ReturnType<typeof person>>;
  const old = 'old.address@before.test';
  beforeAll(async () => {
    moved = await person(['Moved', 'Address']);
    const now = testApp.clock.now();
    await testApp.db
      .insertInto('contact_changes')
      .values({
        id: 'moved-address',
        user_id: moved.id,
        sign_in_id: null,
        contact: 'email',
        email: moved.email,
        dial_code: '',
        mobile: '',
        asked_at: now,
        changed_at: now,
        undo_until: new Date(now.getTime() + 72 * HOUR * 1000),
        undo_key_hash: hashToken('the link of the first mail'),
        old_email: old,
        old_email_canonical: old,
      })
      .execute();
  });

  test('finds its person, and says so', async () => {
    const { page } = await desk.open(`/console?q=${old}`);
    expect(page).toMatchObject({
      found: { people: [{ id: moved.id, movedAt: expect.any(Number) as number }] },
    });
    const byName = await desk.open('/console?q=moved');
    expect(byName.page).toMatchObject({ found: { people: [{ id: moved.id, movedAt: null }] } });
    const rows = await listAccounts(testApp, {
      text: old,
      roleIds: [],
      subtenantId: null,
      status: null,
      most: 9,
    });
    expect(rows).toMatchObject([{ id: moved.id, oldEmail: old }]);
  });

  test(
    'gets a new undo link there; the first one ends, and the 72 hours stay',
    { tags: 'long' },
    async () => {
      const row = () =>
        testApp.db
          .selectFrom('contact_changes')
          .select(['undo_until', 'undo_key_hash'])
          .where('id', '=', 'moved-address')
          .executeTakeFirstOrThrow();
      const before = await row();
      await desk.stepUp(`/console/people/${moved.id}/mailUndo`);
      await desk.send(`/console/people/${moved.id}/mailUndo`);
      const after = await row();
      expect(after.undo_until).toEqual(before.undo_until);
      expect(after.undo_key_hash).not.toBe(before.undo_key_hash);
      const [mail] = await testApp.inbox(old);
      const key = new URL(mail?.link ?? 'x:').searchParams.get('key') ?? '';
      expect(hashToken(key)).toBe(after.undo_key_hash);
      const [own] = await testApp.inbox(moved.email);
      expect(own?.text).toContain('Your email address was changed');
      expect(own?.text).not.toContain(key);
    },
  );

  test('finds nobody after 72 hours, and no link is offered', { tags: 'long' }, async () => {
    testApp.clock.advance(73 * HOUR);
    [desk, operator] = [await openDesk(testApp, 'staff'), await openDesk(testApp, 'admin')];
    expect(await names(old)).toEqual([]);
    const { page } = await desk.open(`/console/people/${moved.id}/mailUndo`);
    expect(page).toMatchObject({ rest: 'noOldAddress' });
  });
});

describe('[CON-06] [CON-08] the first sentence of a person’s page', () => {
  const whyOf = async (id: number, from = desk) => {
    const { page } = await from.open(`/console/people/${id}`);
    if (page?.kind !== 'person') throw new Error('No person');
    return page;
  };

  test('the mail comes back: the address is corrected, and no reset is mailed there', async () => {
    const email = 'comes-back@people.test';
    const { userId } = await testApp.visitor().register({ emailAddress: email });
    await testApp.visitor().reachCode(email, 'Sunny-Porch-7');
    await testApp.db
      .updateTable('messages')
      .set({ state: 'failed', reason: 'invalid' })
      .where('channel', '=', 'email')
      .execute();
    const page = await whyOf(userId);
    expect(page.why).toMatchObject({
      cause: 'mailComesBack',
      reason: 'invalid',
      mend: 'correctEmail',
    });
    expect(page.ways.find(({ way }) => way === 'mail')?.state).toBe('fails');
    expect(page.verbs).toContainEqual({ verb: 'mailReset', rest: 'mailComesBack' });
  });

  test('R24: of a sign-up that is not finished nothing untrue is said, and no role is taken', async () => {
    const { id } = await person(['Not', 'Finished']);
    const statuses = [
      ['pending', 'notFinished', 'neverVerified'],
      ['inactive', null, 'switchedOff'],
    ] as const;
    for (const [status, rest, cause] of statuses) {
      await testApp.db.updateTable('users').set({ status }).where('id', '=', id).execute();
      const page = await whyOf(id);
      expect(page.why.cause).toBe(cause);
      expect(page.verbs).toContainEqual({ verb: 'resume', rest });
      expect(page.verbs).toContainEqual({ verb: 'takeRole', rest });
      expect(page.ways.map(({ state }) => state)).not.toContain('works');
    }
  });

  test('R25: a mail names the role by a gap until one is chosen', async () => {
    const { id } = await person(['Which', 'Role']);
    const { page } = await desk.open(`/console/people/${id}/takeRole`);
    if (page?.kind !== 'verb') throw new Error('No verb');
    expect(page.told?.lines.join(' ')).toContain('took the role [Role] from your account');
  });

  test('R26: the helpers who said yes are named', async () => {
    const [member, helper] = [await person(['Has', 'Helper']), await person(['Daniel', 'Helps'])];
    const now = testApp.clock.now();
    const until = new Date(now.getTime() + 3_600_000);
    const row = (id: string, added_at: Date | null) => ({
      id,
      member_id: member.id,
      helper_id: added_at ? helper.id : null,
      email: `${id}@people.test`,
      email_canonical: `${id}@people.test`,
      relation: 'my son',
      asked_at: now,
      added_at,
      ends_at: until,
    });
    await testApp.db
      .insertInto('helpers')
      .values([row('help-1', now), row('help-2', null)])
      .execute();
    expect((await whyOf(member.id)).helpers).toEqual([
      { name: 'Daniel Helps', relation: 'my son', until: until.getTime() },
    ]);
  });

  test('a phone that gets no texts: the same code is in the mail', { tags: 'long' }, async () => {
    const email = 'no-texts@people.test';
    const { userId } = await testApp.visitor().register({ emailAddress: email });
    await testApp.visitor().reachCode(email, 'Sunny-Porch-7');
    await testApp.db
      .updateTable('messages')
      .set({ state: 'failed', reason: 'unreachable' })
      .where('channel', '=', 'sms')
      .execute();
    expect((await whyOf(userId)).why.cause).toBe('phoneGetsNoTexts');
  });

  test(
    'a failed message is one line of what happened, also when it is deleted',
    { tags: 'long' },
    async () => {
      const email = 'one-line@people.test';
      const { userId } = await testApp.visitor().register({ emailAddress: email });
      await testApp.visitor().reachCode(email, 'Sunny-Porch-7');
      const failed = await testApp.db
        .updateTable('messages')
        .set({ state: 'failed', reason: 'unreachable' })
        .where('channel', '=', 'sms')
        .where((eb) =>
          eb('otp_id', 'in', eb.selectFrom('otp_codes').select('id').where('user_id', '=', userId)),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      const { db, clock } = testApp;
      const message = { ...failed, channel: 'sms', reason: 'unreachable' } as const;
      const countLines = async () =>
        (await whyOf(userId)).timeline.filter((line) =>
          line.kind === 'message' ? line.state === 'failed' : line.event === 'message.failed',
        ).length;
      const count = await countLines();
      await recordFailed({ db, audit: createAudit({ db, clock }) }, message, 'provider');
      expect(await countLines()).toBe(count);
      await db.deleteFrom('messages').where('id', '=', failed.id).execute();
      expect(await countLines()).toBe(count);
    },
  );

  test('R25: what programs say to each other is no line of what happened', async () => {
    const email = 'no-programs@people.test';
    const { userId } = await testApp.visitor().register({ emailAddress: email });
    await testApp.visitor().signIn(email, 'Sunny-Porch-7');
    const toldBy = () =>
      testApp.db
        .selectFrom('audit_events')
        .select('kind')
        .where('user_id', '=', userId)
        .where('kind', '=', 'hosted.tokens')
        .execute();
    await expect.poll(toldBy).not.toEqual([]);
    const { timeline } = await whyOf(userId);
    const events = timeline.flatMap((line) => (line.kind === 'event' ? line.event : []));
    expect(events).toContain('signIn.complete');
    expect(events.filter((event) => /^hosted\.|redeemed/.test(event))).toEqual([]);
  });

  test(
    'after a verb the sentence says what is waited for, and offers the verb no second time',
    { tags: 'long' },
    async () => {
      const { id, email } = await person(['Asked', 'Already']);
      await testApp.visitor().givePassword(email, 'Wrong-Porch-1');
      const why = async (query = '') => {
        const { page } = await desk.open(`/console/people/${id}${query}`);
        return page?.kind === 'person' ? page.why : null;
      };
      expect(await why()).toMatchObject({
        cause: 'wrongPassword',
        mend: 'mailReset',
        waitsFor: null,
      });
      await desk.stepUp(`/console/people/${id}/mailReset`);
      await desk.send(`/console/people/${id}/mailReset`);
      expect(await why()).toMatchObject({ mend: null, waitsFor: 'resetLink' });
    },
  );

  test('nothing is wrong', async () => {
    const { id } = await person(['Nothing', 'Wrong']);
    expect((await whyOf(id)).why).toMatchObject({ cause: 'nothing', mend: null });
  });

  test('no page shows a code, a link or a hash', { tags: 'long' }, async () => {
    const email = 'secrets@people.test';
    const { userId } = await testApp.visitor().register({ emailAddress: email });
    const visitor = testApp.visitor();
    await visitor.reachCode(email, 'Sunny-Porch-7');
    const code = await testApp.codeFor(email);
    const { password_hash: hash } = (await findAccountByEmail(testApp.db, email)) ?? {};
    for (const path of ['', '/resend', '/mailReset', '/suspend']) {
      const { text } = await desk.open(`/console/people/${userId}${path}`);
      expect(text).not.toContain(code);
      expect(text).not.toContain(hash);
      expect(text).not.toMatch(/resetLinkKey|UID=/);
    }
  });
});
