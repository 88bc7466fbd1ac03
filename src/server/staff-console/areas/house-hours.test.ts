/** [HOU-10] The hours of the help phone of one house, and what of the service a house does not see. */

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { FormPage, MessagesPage } from '#contract/console.ts';
import { parseOpeningHours } from '#domain/text/opening-hours.ts';
import { findAccountByEmail } from '../../accounts/account-store.ts';
import { demoEmail } from '../../demo/seed.ts';
import { setHouseRoles } from '../../people/house.ts';
import { adminContextOf } from '../../testing/admin-context.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';
import { type Desk, openDesk } from '../../testing/desk.ts';
import { createTestAppWithPages } from '../../testing/test-app.ts';

const OWN = 'Sat-Sun 10:00-16:00';
const LOOK = { logo: '/logos/742.svg', language: '', accent: '' };
const LOOK_OF_900 = {
  logo: '/logos/900.svg',
  language: '',
  accent: '#8A3B12',
  name: 'Harbor Point Care',
};
/** So long a change may take to be seen. */
const SEEN = 6;
const testApp = closeAtEnd(
  await createTestAppWithPages({
    limitFactor: 100,
    helpHours: { spans: parseOpeningHours('Mon-Fri 8:00-18:00') ?? [], timeZone: 'UTC' },
  }),
);
const { db } = testApp;
let house: Desk;
let operator: Desk;
beforeAll(async () => {
  house = await openDesk(testApp, 'house');
  operator = await openDesk(testApp, 'admin');
});

const storedOf = async (id: number) => {
  const row = db.selectFrom('subtenants').select('help_hours').where('id', '=', id);
  return (await row.executeTakeFirstOrThrow()).help_hours;
};

/** Returns the words for the hours on a page that a visitor of a subtenant opens. */
async function shownOn(path: string, language = 'en'): Promise<unknown> {
  testApp.clock.advance(SEEN);
  const text = await (
    await testApp.visitor().request(path, { headers: { 'accept-language': language } })
  ).text();
  const [, week = ''] = /"week":(\[[^\]]*\])/.exec(text) ?? [];
  return week;
}

describe('[HOU-10] the hours of a house', () => {
  test('are shown to its visitors in their language, and to no other house’s', async () => {
    const usual = '["Monday to Friday 8 am to 6 pm."]';
    expect(await shownOn('/help?subtenantId=742')).toBe(usual);
    const { location } = await house.send('/console/house/look', {
      ...LOOK,
      help_hours: ` ${OWN} `,
    });
    expect(location).toBe('/console/house?done=look');
    expect(await storedOf(742)).toBe(OWN);
    for (const path of ['/help', '/account/signin', '/account/signup']) {
      expect(await shownOn(`${path}?subtenantId=742`)).toBe(
        '["Saturday to Sunday 10 am to 4 pm."]',
      );
    }
    expect(await shownOn('/help?subtenantId=742', 'es')).toMatch(/sábado a domingo/i);
    expect(await shownOn('/help?subtenantId=900')).toBe(usual);
    const { page } = await house.open('/console/house');
    expect(JSON.stringify((page as FormPage).told)).toContain(OWN);
  });

  test('come back with the look before', async () => {
    expect((await house.send('/console/house/look', { ...LOOK, help_hours: '' })).status).toBe(303);
    expect(await storedOf(742)).toBeNull();
    expect((await house.send('/console/house/back')).status).toBe(303);
    expect(await storedOf(742)).toBe(OWN);
    // A look that the release before kept has none.
    await db.updateTable('house_looks').set({ help_hours: null }).execute();
    expect((await house.send('/console/house/back')).status).toBe(303);
    expect(await storedOf(742)).toBeNull();
  });

  test('are a field of operators, too', async () => {
    const path = '/console/subtenants/900/look';
    const { page } = await operator.open(path);
    expect((page as FormPage).fields.find(({ name }) => name === 'help_hours')?.hint).toMatch(
      /UTC/,
    );
    expect((await operator.send(path, { ...LOOK_OF_900, help_hours: OWN })).status).toBe(303);
    expect(await storedOf(900)).toBe(OWN);
    expect((await operator.send(path, { ...LOOK_OF_900, help_hours: '' })).status).toBe(303);
    expect(await storedOf(900)).toBeNull();
  });

  test('that cannot be read are told when they are shown, and kept', async () => {
    const problemsOf = async (typed: Record<string, string>) => {
      const look = '/console/house/look';
      const { location } = await house.send(look, { ...LOOK, ...typed, show: '1' });
      const { page } = await house.open(location ?? '');
      return (page as FormPage).fields.flatMap(({ name, value, problem }) =>
        problem ? [[name, value]] : [],
      );
    };
    expect(await problemsOf({ help_hours: OWN })).toEqual([]);
    expect(await problemsOf({ help_hours: '9-5', accent: 'red' })).toEqual([
      ['accent', 'red'],
      ['help_hours', '9-5'],
    ]);
  });

  test.each([
    'nine to five',
    'Call 555 010 0199',
    'Mon-Fri 8:00-18:00 evil.example',
    'https://evil.example',
    'Mon 55501:00-018:00',
    'Mon-Fri 8:00-18:00, +15550100199',
    'Mon 8:00-9:00, Tue 8:00-9:00, Wed 8:00-9:00, Thu 8:00-9:00, Fri 8:00-9:00',
    'Ｍon 8:00-9:00',
  ])('are no other text: %s', async (hours) => {
    const { page } = await house.send('/console/house/look', { ...LOOK, help_hours: hours });
    const problems = (page as FormPage).fields.flatMap(({ name, problem }) =>
      problem ? name : [],
    );
    expect(problems).toEqual(['help_hours']);
    expect(await storedOf(742)).toBeNull();
  });

  test('are one line, with any dash', async () => {
    const hours = 'Mon 8:00-9:00,\r\n  Tue   8:00–9:00';
    expect((await house.send('/console/house/look', { ...LOOK, help_hours: hours })).status).toBe(
      303,
    );
    expect(await storedOf(742)).toBe('Mon 8:00-9:00, Tue 8:00-9:00');
  });

  test('leave room for the release before: it writes neither column', async () => {
    await sql`insert into subtenants (id, name, logo_path) values (77, 'Earlier', '/logos/3.svg')`.execute(
      db,
    );
    await sql`insert into house_looks (subtenant_id, logo_path, kept_at) values (77, '/logos/3.svg', now())`.execute(
      db,
    );
    expect(await storedOf(77)).toBeNull();
  });
});

describe('[HOU-10] the messages of a house', () => {
  test('say nothing of the messages of the service that wait', async () => {
    const waitingOf = async (desk: Desk) =>
      ((await desk.open('/console/messages')).page as unknown as MessagesPage).waiting;
    const helpDesk = await openDesk(testApp, 'staff');
    await db
      .insertInto('outbox')
      .values({
        kind: 'message',
        idempotency_key: 'of-another-house',
        payload: JSON.stringify({}),
        created_at: testApp.clock.now(),
        run_at: new Date(testApp.clock.now().getTime() + 3600_000),
        locked_until: null,
        expires_at: null,
        give_up_at: null,
        done_at: null,
        dead_at: null,
        last_error: null,
        id: randomUUID(),
      })
      .execute();
    testApp.clock.advance(60);
    expect(await waitingOf(operator)).toEqual({ count: 1, oldestMs: expect.any(Number) });
    expect(await waitingOf(house)).toBeNull();
    expect(await waitingOf(helpDesk)).toBeNull();
    await db.deleteFrom('outbox').where('idempotency_key', '=', 'of-another-house').execute();
  });

  test('that came back are all in the list, however many of other houses are newer', async () => {
    const own = await findAccountByEmail(db, demoEmail('member'));
    const other = await findAccountByEmail(db, demoEmail('harbor'));
    const now = testApp.clock.now().getTime();
    const fail = async (userId: number, house: number, ago: number) => {
      const visit = randomUUID();
      await db
        .insertInto('visits')
        .values({ id: visit, token_hash: visit, created_at: new Date(now), seen_at: new Date(now) })
        .execute();
      const at = new Date(now - ago);
      const otp = {
        id: visit,
        visit_id: visit,
        user_id: userId,
        type: 'TWOFACTORAUTHENTICATION' as const,
        medium: 1 as const,
        code_hmac: '',
        sent_at: at,
        expires_at: at,
        subject: 'x',
      };
      await db.insertInto('otp_codes').values(otp).execute();
      const message = {
        id: visit,
        idempotency_key: visit,
        otp_id: visit,
        channel: 'email' as const,
        destination: 'm***',
        state: 'failed' as const,
        queued_at: at,
        subtenant_id: house,
      };
      await db.insertInto('messages').values(message).execute();
      return visit;
    };
    const id = await fail(own?.id ?? 0, 742, 1000);
    for (let n = 0; n < 200; n += 1) await fail(other?.id ?? 0, 900, n);
    const { page } = await house.open('/console/messages');
    const { undelivered } = page as unknown as MessagesPage;
    expect(undelivered.map((row) => row.id)).toEqual([id]);
  });
});

test('[HOU-02] without a list the form of a role says whom to call', async () => {
  const id = (await findAccountByEmail(db, demoEmail('legal')))?.id;
  const hintOf = async (desk: Desk) => {
    const { page } = await desk.open(`/console/people/${id}/giveRole`);
    return (page as unknown as FormPage).fields.find(({ name }) => name === 'role')?.hint;
  };
  expect(await hintOf(house)).toBe(
    'The operator has named no roles for your house yet. Call +1 555 010 0199',
  );
  expect(await hintOf(operator)).toBeUndefined();
  await setHouseRoles(adminContextOf(testApp), 742, [5]);
  expect(await hintOf(house)).toBeUndefined();
});
