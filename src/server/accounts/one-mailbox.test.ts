/** [ACC-13] F2: a mailbox is one, whichever way its international domain is written (decision 253). */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookAtAddresses } from '#cli/doctor/accounts.ts';
import { operate } from '../testing/operate.ts';
import { createAccountPages } from '../testing/account-pages.ts';
import { createHelperPeople, PEOPLE } from '../testing/helper-people.ts';
import { openDesk } from '../testing/desk.ts';
import { createTestAppWithPages, createTestContext, PASSWORD } from '../testing/test-app.ts';
import { createWire, wireClients } from '../testing/wire.ts';
import { findAccountByEmail, insertAccounts, newAccountId } from './account-store.ts';
import { isReserved } from './contact-changes.ts';

const directory = mkdtempSync(join(tmpdir(), 'one-mailbox-'));
const testApp = await createTestAppWithPages((url) => ({ ...wireClients(url), limitFactor: 5 }));
const context = await createTestContext();
const wire = createWire(testApp);
const desk = await openDesk(testApp, 'admin');
afterAll(async () => {
  await testApp.close();
  await context.database.close();
  rmSync(directory, { recursive: true, force: true });
});

const pages = createAccountPages(() => testApp);
const people = createHelperPeople(() => testApp);
const command = async (...words: string[]) => {
  const { db, clock } = testApp;
  return operate({ ...context, db, clock }, ...words);
};

let count = 0;
/** Two spellings of one new mailbox, as the table names them. */
function spellings([one, other]: readonly [string, string]): readonly [string, string] {
  count += 1;
  const name = `person.${count}`;
  return [`${name}@${one}`, `${name}@${other}`];
}

/** Makes an account as a release before 0.2 stored it: a domain in letters is compared in letters. */
async function asStoredBefore(userId: number, email: string): Promise<void> {
  await testApp.db
    .updateTable('users')
    .set({ email_canonical: email.toLowerCase() })
    .where('id', '=', userId)
    .execute();
}

const LETTERS = 'bücher.example';
const LABELS = 'xn--bcher-kva.example';
const PAIRS = [
  [LETTERS, LABELS],
  [LABELS, LETTERS],
  ['BÜCHER.Example', 'XN--BCHER-KVA.example'],
  ['XN--Bcher-KVA.EXAMPLE', 'BÜcher.example'],
  ['उदाहरण.example', 'xn--p1b6ci4b4b3a.example'],
  // F4, F6: letters of another keyboard, and invisible characters.
  ['mailbox.example', 'ＭＡＩＬ\u200Bbox。exa\uFE0Fmple\u202C'],
] as const;
const CASES = (['now', 'before'] as const).flatMap((since) =>
  PAIRS.map((pair) => [since, ...pair] as const),
);
/** One of each kind for `npm test`; the others are in the long run. */
const SHORT = [`before ${LABELS}`, 'now mailbox.example'];

describe.each(CASES)('[ACC-13] stored %s as %s, typed as %s', (since, one, other) => {
  const tags = SHORT.includes(`${since} ${one}`) ? [] : ['long'];
  let stored: string;
  let typed: string;
  let userId: number;
  beforeAll(async () => {
    [stored, typed] = spellings([one, other]);
    ({ userId } = await testApp.visitor().register({ emailAddress: stored, userName: stored }));
    if (since === 'before') await asStoredBefore(userId, stored);
    testApp.clock.advance(1);
  });

  test('sign-up makes no second account', { tags }, async () => {
    const { data } = await testApp.visitor().signUp({ emailAddress: typed, userName: typed });
    expect(data?.userActivationMode).toBe('ACTIVATE_USER');
    const known = await testApp.visitor().call('checkUser', { params: { email: typed } });
    expect(known.data).toBe(true);
    // As several programs at once would add it.
    const row = { email: typed, first_name: 'A', last_name: 'B', dial_code: '', mobile: '' };
    const created_at = testApp.clock.now();
    const rows = [{ ...row, subtenant_id: 742, created_at, status: 'active' as const }];
    expect(await insertAccounts(testApp.db, rows)).toEqual([]);
  });

  test('sign-in, and the limit of wrong passwords', { tags }, async () => {
    const visitor = testApp.visitor();
    const { otpId } = await visitor.reachCode(typed, PASSWORD);
    const code = await testApp.codeFor(stored);
    expect((await visitor.verify(otpId, userId, code)).data).toBe(true);
    const guesser = testApp.visitor();
    const statuses: number[] = [];
    for (let n = 0; n < 60 && statuses.at(-1) !== 429; n += 1) {
      statuses.push((await guesser.authenticate(n % 2 === 0 ? typed : stored, 'Wrong-1-x')).status);
    }
    expect([statuses.at(-1), statuses.length]).toEqual([429, 26]);
  });

  test('forgot password', { tags }, async () => {
    const { data } = await testApp.visitor().call('forgotPassword', {
      body: { userName: typed, emailID: typed, commMedium: 'Email', commSendOn: typed },
    });
    expect(data).toBe(true);
    const [mail] = await pages.mailsTo(stored);
    expect(mail?.link).toContain('/account/resetPassword');
  });

  test('console, command line, Management API', { tags }, async () => {
    const { page } = await desk.open(`/console?q=${encodeURIComponent(typed)}`);
    if (page?.kind !== 'search') throw new Error('No search');
    expect(page.found?.people.map(({ id }) => id)).toEqual([userId]);
    const shown = (await command('user', 'show', typed)).data as { id: number };
    expect(shown.id).toBe(userId);
    const listed = (await command('user', 'find', typed)).data as readonly { id: number }[];
    expect(listed.map(({ id }) => id)).toEqual([userId]);
    const machine = (await wire.machine()).access_token;
    const path = `users-by-email?email=${encodeURIComponent(typed)}`;
    const { body } = await wire.manage(machine, 'GET', path);
    expect(body).toMatchObject([{ user_id: expect.stringContaining(String(userId)) as string }]);
  });

  test('an import takes neither', { tags }, async () => {
    const file = join(directory, 'people.csv');
    const first = `email,first_name,last_name\n`;
    writeFileSync(file, `${first}${typed},Ann,Lee\n`);
    const taken = await command('user', 'import', file);
    expect(taken.data).toMatchObject({ lines: [{ column: 'email', reason: 'taken' }] });
    const [new1, new2] = spellings([one, other]);
    writeFileSync(file, `${first}${new1},Ann,Lee\n${new2},Ann,Lee\n`);
    expect((await command('user', 'import', file)).data).toMatchObject({ counts: { added: 1 } });
  });

  test('change of contact, and helpers', { tags }, async () => {
    const visitor = testApp.visitor();
    const { otpId } = await visitor.reachCode(typed, PASSWORD);
    await visitor.verify(otpId, userId, await testApp.codeFor(stored));
    await visitor.complete();
    const email = '/account/me/email';
    expect(await pages.refused(visitor, { email: typed }, email)).toBe('emailSame');
    const own = { email: stored, userId, visitor };
    await people.name(own, typed);
    expect(await people.helpersOf(own)).toEqual([]);
    // Of another: the page says nothing, and the mail there is a notice without a code.
    const stranger = await pages.signedIn();
    await pages.send(stranger.visitor, { email: typed }, email);
    expect((await pages.mailsTo(stored))[0]).toMatchObject({ code: null });
    await people.name({ ...stranger }, typed);
    expect((await people.dataIn(await visitor.request(PEOPLE))).people).toHaveLength(1);
  });
});

test(
  '[ACC-13] an address that can be had back is reserved in both spellings',
  { tags: 'long' },
  async () => {
    for (const pair of PAIRS) {
      const [stored, typed] = spellings(pair);
      const { userId, visitor } = await pages.signedIn(stored);
      const next = `moved.${count}@mailbox.test`;
      await pages.send(visitor, { email: next }, '/account/me/email');
      const code = await testApp.codeFor(next);
      await pages.send(visitor, { do: 'check', code }, '/account/me/email');
      expect((await pages.rowOf(userId))?.email).toBe(next);
      expect(await isReserved(testApp.db, typed, null, testApp.clock.now())).toBe(true);
      const machine = (await wire.machine()).access_token;
      const { status, body } = await wire.manage(machine, 'POST', 'users', {
        connection: 'Username-Password-Authentication',
        email: typed,
        password: PASSWORD,
        email_verified: true,
      });
      expect([status, body]).toEqual([409, expect.anything()]);
      expect((await desk.open(`/console?q=${encodeURIComponent(typed)}`)).text).toContain(
        String(userId),
      );
    }
  },
);

test('[ACC-13] ß is another domain than ss', { tags: 'long' }, async () => {
  const [one, other] = spellings(['straße.example', 'strasse.example']);
  const first = await testApp.visitor().register({ emailAddress: one, userName: one });
  const second = await testApp.visitor().register({ emailAddress: other, userName: other });
  expect(first.userId).not.toBe(second.userId);
  const labels = one.replace('straße', 'XN--strae-oqa');
  expect((await findAccountByEmail(testApp.db, labels))?.id).toBe(first.userId);
});

test(
  '[ACC-13] two accounts of before answer each to its own spelling, and doctor tells of them',
  { tags: 'long' },
  async () => {
    expect(await lookAtAddresses(testApp.db)).toMatchObject([{ state: 'ok' }]);
    const [letters, labels] = spellings([LETTERS, LABELS]);
    const { userId } = await testApp
      .visitor()
      .register({ emailAddress: letters, userName: letters });
    await asStoredBefore(userId, letters);
    const twin = newAccountId();
    await sql`insert into users (id, email, email_canonical, first_name, last_name, dial_code, mobile, password_hash,
      status, subtenant_id, sign_up_platform, created_at, activated_at, email_proven_at)
    select ${twin}, ${labels}, ${labels}, first_name, last_name, dial_code, mobile, password_hash,
      status, subtenant_id, sign_up_platform, created_at, activated_at, email_proven_at
    from users where id = ${userId}`.execute(testApp.db);
    for (const [typed, id] of [
      [letters, userId],
      [letters.toUpperCase(), userId],
      [labels, twin],
      [labels.toUpperCase(), twin],
    ] as const) {
      const visitor = testApp.visitor();
      expect((await visitor.reachCode(typed, PASSWORD)).userId).toBe(id);
      await visitor.call('forgotPassword', {
        body: { userName: typed, emailID: typed, commMedium: 'Email', commSendOn: typed },
      });
      const owner = id === twin ? labels : letters;
      expect((await pages.mailsTo(owner))[0]?.link).toContain('/account/resetPassword');
    }
    // Its name can still be changed: nothing is merged, and nothing is in its way.
    await command('user', 'set', letters, '--first', 'Ruth');
    expect((await pages.rowOf(userId))?.first_name).toBe('Ruth');
    expect(await lookAtAddresses(testApp.db)).toMatchObject([
      { state: 'warning', what: expect.stringContaining(labels) as string },
    ]);
  },
);
