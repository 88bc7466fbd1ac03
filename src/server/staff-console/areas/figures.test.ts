/** [CON-32] [CON-33] [CON-34] [CON-35] [CON-36] Messages, sign-ins and audit: figures, rights, verbs, files. */

import type { EventKind } from '#locales/operator/events.ts';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ListPage, MessagesPage, SignInsPage } from '#contract/console.ts';
import { OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { auditCommand } from '#locales/operator/audit-command.ts';
import { DAY_MS, MINUTE_MS } from '#domain/text/duration.ts';
import { toAuditRow } from '../../audit/audit.ts';
import { createSealing } from '../../audit/sealing.ts';
import { createSecretBox } from '../../crypto/secret-box.ts';
import { demoEmail, DEMO_PASSWORD } from '../../demo/seed.ts';
import { type Desk, type DeskAnswer, openDesk } from '../../testing/desk.ts';
import { createTestAppWithPages, SECRET } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const FRESH_MINUTES = 6;

let helpDesk: Desk;
let operator: Desk;
const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));
beforeAll(async () => {
  // At noon, so that no test begins on one day and ends on the next.
  const now = testApp.clock.now().getTime();
  testApp.clock.advance((Math.ceil(now / DAY_MS) * DAY_MS + DAY_MS / 2 - now) / 1000);
  helpDesk = await openDesk(testApp, 'staff');
  operator = await openDesk(testApp, 'admin');
});

function pageOf<Page>(answer: DeskAnswer, kind: string): Page {
  if (answer.page?.kind !== kind) throw new Error(`${answer.status} ${answer.page?.kind}`);
  return answer.page as unknown as Page;
}

const idOf = async (name: string): Promise<number> =>
  (
    await testApp.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', demoEmail(name))
      .executeTakeFirstOrThrow()
  ).id;

const events = (kind: string) =>
  testApp.db
    .selectFrom('audit_events')
    .select(['actor', 'user_id', 'details'])
    .where('kind', '=', kind)
    .orderBy('id')
    .execute();

const staffId = async (name: string) => `staff:${await idOf(name)}`;

/** Lets the code of the sign-in grow old, so that a form asks for another one. */
function outlive(): void {
  testApp.clock.advance(FRESH_MINUTES * 60);
}

test('[CON-32] a help desk has messages; sign-ins and audit do not exist for it', async () => {
  expect((await helpDesk.open('/console/messages')).page?.kind).toBe('messages');
  for (const path of [
    'sign-ins',
    'sign-ins/csv',
    'sign-ins/who/all/week/tried',
    'audit',
    'audit/verify',
  ]) {
    const { status, page } = await helpDesk.open(`/console/${path}`);
    expect([path, status, page]).toMatchObject([
      path,
      404,
      { kind: 'message', message: 'notFound' },
    ]);
    expect((await helpDesk.send(`/console/${path}`)).status).toBe(404);
  }
});

describe('[CON-33] messages', () => {
  let member: number;
  let elsewhere: number;
  const letter = randomUUID();
  const dropped = randomUUID();
  beforeAll(async () => {
    const { db, clock } = testApp;
    member = await idOf('member');
    elsewhere = await idOf('academy');
    const now = clock.now();
    const secretBox = createSecretBox(SECRET);
    const letters = [
      [letter, demoEmail('member')],
      [dropped, demoEmail('academy')],
    ] as const;
    for (const [id, to] of letters) {
      const message = { channel: 'email', to, subject: 'Your password was changed', text: 'Hello' };
      await db
        .insertInto('outbox')
        .values({
          id,
          kind: 'message',
          payload: JSON.stringify({ sealed: secretBox.encrypt('outbox', JSON.stringify(message)) }),
          idempotency_key: `reset-done:${id}`,
          created_at: now,
          run_at: now,
          locked_until: null,
          expires_at: null,
          give_up_at: null,
          done_at: null,
          dead_at: now,
          last_error: 'unavailable',
        })
        .execute();
    }
    const message = (n: number, seconds: number | null) => ({
      id: randomUUID(),
      idempotency_key: `test:${n}`,
      otp_id: null,
      channel: 'sms' as const,
      destination: '*** 99',
      state: seconds === null ? ('failed' as const) : ('delivered' as const),
      reason: seconds === null ? ('invalid' as const) : null,
      has_receipts: true,
      subtenant_id: 742,
      queued_at: new Date(now.getTime() - n * MINUTE_MS),
      sent_at: new Date(now.getTime() - n * MINUTE_MS + 1000),
      delivered_at:
        seconds === null ? null : new Date(now.getTime() - n * MINUTE_MS + seconds * 1000),
      failed_at: seconds === null ? now : null,
    });
    await db.deleteFrom('messages').where('channel', '=', 'sms').execute();
    // By hand: three of the last hour are slow, their median is 45; one came back. Those of the hours before were in time.
    const slow = [message(1, 45), message(2, 50), message(3, 41), message(4, null)];
    const sent = [...slow, message(61, 5), message(62, 7), message(119, 6), message(121, 9)];
    await db.insertInto('messages').values(sent).execute();
  });

  test('the figures are those of the rows', async () => {
    const { channels } = pageOf<MessagesPage>(await operator.open('/console/messages'), 'messages');
    const text = channels.find(({ channel }) => channel === 'sms');
    expect(text).toMatchObject({
      state: 'slow',
      seconds: 45,
      sent: 8,
      cameBack: 1,
      provider: 'inbox',
      spare: 'email',
      hasReceipts: true,
    });
    // E34: the last bar of the chart is the figure.
    expect(text?.parts.slice(-3)).toEqual([9, 6, 45]);
    expect(new Date(text?.since ?? 0).getTime()).toBeGreaterThan(
      testApp.clock.now().getTime() - DAY_MS,
    );
  });

  test('a help desk sees those of people it may look at, and no verb', async () => {
    const looks = (await events('console.searched')).length;
    const own = pageOf<MessagesPage>(await helpDesk.open('/console/messages'), 'messages');
    // S70: what shows people leaves a line.
    const seen = (await events('console.searched')).slice(looks);
    expect(seen).toMatchObject([{ details: { list: 'messages', shown: 1 } }]);
    expect(own.undelivered.map(({ id }) => id)).toEqual([letter]);
    expect(own.undelivered[0]?.actions?.map(({ href }) => href)).toEqual([
      `/console/people/${member}`,
    ]);
    const all = pageOf<MessagesPage>(await operator.open('/console/messages'), 'messages');
    expect(all.undelivered.map(({ id }) => id).toSorted()).toEqual([letter, dropped].toSorted());
    expect(JSON.stringify(all)).toContain(`/console/people/${elsewhere}`);
    for (const verb of ['retry', 'drop']) {
      expect((await helpDesk.open(`/console/messages/${letter}/${verb}`)).status).toBe(404);
      expect((await helpDesk.send(`/console/messages/${letter}/${verb}`)).status).toBe(404);
    }
    expect(await events('outbox.retried')).toEqual([]);
  });

  test.each([
    ['retry', letter, 'outbox.retried', { count: 1 }],
    ['drop', dropped, 'outbox.dropped', {}],
  ] as const)('%s needs a fresh code, and writes one event', async (verb, id, kind, more) => {
    const path = `/console/messages/${id}/${verb}`;
    outlive();
    expect((await operator.send(path)).page).toMatchObject({ kind: 'form', isFresh: false });
    expect(await events(kind)).toEqual([]);
    await operator.stepUp(path);
    expect((await operator.send(path)).location).toBe(`/console/messages?done=${verb}`);
    const actor = await staffId('admin');
    const told = [{ actor, user_id: null, details: { id, ...more } }];
    expect(await events(kind)).toEqual(told);
    // From the second tab: it does not wait any more.
    expect((await operator.send(path)).status).toBe(404);
    expect(await events(kind)).toEqual(told);
  });

  test('a verb of no message, and of a forged address', async () => {
    for (const path of [`${randomUUID()}/retry`, 'all/retry', `${letter}/erase`, "'/drop"]) {
      expect((await operator.open(`/console/messages/${path}`)).status).toBe(404);
    }
  });
});

describe('[CON-34] sign-ins', () => {
  type Kinds = readonly (readonly [kind: EventKind, details?: Record<string, unknown>])[];
  const type = 'TWOFACTORAUTHENTICATION';
  const sent = ['otp.sent', { type, medium: OTP_MEDIUM.both }] as const;
  const right: Kinds = [['signIn.password'], sent];
  const typed: Kinds = [...right, ['otp.verified', { type }], ['signIn.complete']];
  const back = ['message.failed', { channel: 'email' }] as const;

  /** By hand: so many visits of house 900 on this day, and where they stop. */
  const TABLE: readonly (readonly [visits: number, kinds: Kinds])[] = [
    [4, [['signIn.wrongPassword'], ['signIn.wrongPassword']]],
    [1, [['signIn.suspended', { at: 'password' }]]],
    [2, [...right, back, back]],
    // One of its two messages came back: the code arrived.
    [3, [...right, back]],
    [1, [...right, ['otp.wrong']]],
    // The code of a sign-up in the same browser is not that of the sign-in.
    [1, [...right, ['otp.verified', { type: 'USER_ACTIVATION' }]]],
    [2, typed],
    [11, [['signIn.wrongPassword'], ...typed, ['handoff.issued', { module: 'member-intake' }]]],
    // Not a sign-in: a code of a sign-up.
    [5, [['otp.sent', { type: 'USER_ACTIVATION', medium: OTP_MEDIUM.both }]]],
  ];
  let member: number;
  let colleague: number;
  beforeAll(async () => {
    member = await idOf('academy');
    colleague = await idOf('staff');
    const rows = TABLE.flatMap(([visits, kinds]) =>
      Array.from({ length: visits }, (_, n) => {
        const visitId = randomUUID();
        const userId = n === 0 ? colleague : member;
        return kinds.map(([kind, details = {}]) => ({
          ...toAuditRow({ kind, visitId, userId }, testApp.clock.now(), 'visitor'),
          details: JSON.stringify(details),
          subtenant_id: 900,
        }));
      }).flat(),
    );
    await testApp.db.insertInto('audit_events').values(rows).execute();
  });

  test('the figures are those of the table', async () => {
    const page = pageOf<SignInsPage>(
      await operator.open('/console/sign-ins?house=900&time=today'),
      'signIns',
    );
    expect(page.drawn.steps.map(({ visits, stopped, cause }) => [visits, stopped, cause])).toEqual([
      [25, 5, 'wrongPassword'],
      [20, 2, 'mailCameBack'],
      [18, 5, 'codeNotTyped'],
      [13, 2, 'wentBack'],
      [11, 0, null],
    ]);
    const harbor = page.houses.find(({ id }) => id === 900);
    expect(harbor).toEqual(page.drawn);
  });

  test('a real sign-in, and a wrong password, are counted', async () => {
    const visits = async () => {
      const page = pageOf<SignInsPage>(
        await operator.open('/console/sign-ins?time=today&house=742'),
        'signIns',
      );
      return page.drawn.steps.map((step) => step.visits);
    };
    const before = await visits();
    const right_ = testApp.visitor();
    await right_.signIn(demoEmail('top'), DEMO_PASSWORD);
    await testApp.visitor().givePassword(demoEmail('top'), 'Wrong-Pass-1');
    const after = await visits();
    expect(after.map((count, n) => count - (before[n] ?? 0)).slice(0, 4)).toEqual([2, 1, 1, 1]);
  });

  test('who stopped: people that staff may look at, and each is a look', async () => {
    const looks = async () => (await events('console.looked')).map(({ user_id: id }) => id);
    const before = await looks();
    const path = '/console/sign-ins/who/900/today/tried';
    const page = pageOf<ListPage>(await operator.open(path), 'list');
    expect(page.rows.map(({ id }) => id)).toEqual([String(member)]);
    expect((await looks()).slice(before.length)).toEqual([member]);
    outlive();
    expect((await operator.send(`${path}/csv`)).page).toMatchObject({
      kind: 'form',
      isFresh: false,
    });
    await operator.stepUp(`${path}/csv`);
    const { text } = await operator.send(`${path}/csv`);
    expect(text).toContain(demoEmail('academy'));
    expect(text).not.toContain(demoEmail('staff'));
  });

  test('the figures as a file; addresses that are none', async () => {
    const { text } = await operator.open('/console/sign-ins/csv');
    expect(text).toContain('Harbor Point Care,Today,Code arrived,18,5,code not typed\r\n');
    const forged = [
      'who/900/today/x',
      'who/900/year/tried',
      "who/'/today/tried",
      'who/900',
      'x',
      'who/900/today/tried/x',
    ];
    for (const each of forged) {
      expect([each, (await operator.open(`/console/sign-ins/${each}`)).status]).toEqual([
        each,
        404,
      ]);
    }
  });
});

describe('[CON-35] the audit log', () => {
  const list = async (query: string) =>
    pageOf<ListPage>(await operator.open(`/console/audit?${query}`), 'list');
  const kinds = async (query: string) =>
    new Set((await list(query)).rows.map(({ cells }) => cells[1]));

  test('filters choose, by the server', async () => {
    const looked = 'Somebody from staff looked at this page';
    expect(await kinds('kind=console.looked')).toEqual(new Set([looked]));
    const [seen] = (await list('kind=console.looked')).rows;
    expect(seen?.cells.at(-1)).toEqual({
      text: expect.stringMatching(/^console\.looked \S+ \{.*\}$/),
      isFolded: true,
    });
    const of = await idOf('admin');
    const { rows, count } = await list(`person=${demoEmail('top')}&outcome=failure`);
    expect(count).toBe(rows.length);
    expect(new Set(rows.map(({ cells }) => cells[1]))).toEqual(new Set(['Password wrong']));
    for (const word of [demoEmail('admin'), String(of), `staff:${of}`]) {
      expect([word, (await list(`staff=${word}&kind=console.looked`)).count]).toEqual([word, 2]);
    }
    const today = testApp.clock.now().toISOString().slice(0, 10);
    expect((await list(`from=${today}&to=${today}`)).count).toBeGreaterThan(50);
    expect((await list('from=2001-01-01&to=2001-01-02')).count).toBe(0);
  });

  test.each([
    "kind='",
    'person=nobody@example.test',
    'person=-1',
    'staff=%00x',
    'from=2026-99-99',
    'page=-3',
    'outcome=x',
    'page=99999',
  ])('a forged filter shows a page: %s', async (query) => {
    expect((await operator.open(`/console/audit?${query}`)).status).toBe(200);
  });

  test('it comes in pages; reading and downloading are events', async () => {
    const read = (await events('console.auditRead')).length;
    const first = await list('');
    const second = await list('page=2');
    expect(first.rows).toHaveLength(50);
    expect(first.rows.map(({ id }) => id)).not.toContain(second.rows[0]?.id);
    expect(await events('console.auditRead')).toHaveLength(read + 1);
    outlive();
    expect((await operator.send('/console/audit/csv')).page).toMatchObject({ isFresh: false });
    await operator.stepUp('/console/audit/csv');
    const { text } = await operator.send('/console/audit/csv?kind=console.looked');
    expect(text.split('\r\n')).toHaveLength(4);
    expect((await events('console.downloaded')).at(-1)).toMatchObject({
      actor: await staffId('admin'),
      details: { list: 'audit', count: 2 },
    });
  });

  test('the check says that the chain is whole, and what was changed', async () => {
    const { db, clock } = testApp;
    await createSealing({ db, clock, secretBox: createSecretBox(SECRET) }).seal();
    const check = async () => {
      const { page } = await operator.send('/console/audit/verify');
      return page?.kind === 'form' ? (page.told?.lines ?? []) : [];
    };
    expect(await check()).toContain(auditCommand.intact);
    // As a person does who owns the database: no trigger holds them.
    await sql`alter table audit_events disable trigger user`.execute(db);
    const { rows } = await sql<{ id: string }>`update audit_events set reason = 'forged'
      where id = (select min(id) from audit_events where seal is not null) returning id`.execute(
      db,
    );
    await sql`alter table audit_events enable trigger user`.execute(db);
    const lines = await check();
    expect(lines).not.toContain(auditCommand.intact);
    expect(lines).toContain(auditCommand.row.replace('{at}', String(rows[0]?.id)));
    const checks = await events('console.auditVerified');
    expect(checks.map(({ details }) => details)).toEqual([
      { faults: 0 },
      { faults: expect.any(Number) },
    ]);
  });
});
