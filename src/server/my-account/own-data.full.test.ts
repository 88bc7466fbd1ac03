/** Password, display, answers, data and the end of the account, by their own person. */

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { accountData } from '#texts/account-data.ts';
import type { ConsoleGrant } from '#domain/help-desk/console-rights.ts';
import { eraseClosed } from '../people/close-account.ts';
import { setSuspended } from '../people/people.ts';
import { SOURCES } from '../accounts/personal-data.ts';
import { erasePerson } from '../people/privacy/erase.ts';
import { createAccountPages } from '../testing/account-pages.ts';
import { createTestAppWithPages, PASSWORD } from '../testing/test-app.ts';
import { SHOWN } from './data-page.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const NEW = 'Quiet-Harbor-77';

const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));
const { signedIn, signInAgain, open, send, refused, mailsTo, rowOf } = createAccountPages(
  () => testApp,
);
const signs = async (email: string, password: string) =>
  (await testApp.visitor().authenticate(email, password)).status === 200;

describe('[ACC-08] the password', () => {
  const PATH = '/account/me/password';
  const typed = { password: NEW, confirmPassword: NEW };

  test('after a fresh sign-in: all other sessions end, this one stays, and a mail leads to a reset', async () => {
    const { visitor, email } = await signedIn();
    const other = await signInAgain(email);
    expect((await send(visitor, typed, PATH)).headers.get('location')).toContain('saved=1');
    expect((await other.request(PATH)).status).toBe(302);
    expect((await open(visitor, PATH)).email).toBe(email);
    expect([await signs(email, PASSWORD), await signs(email, NEW)]).toEqual([false, true]);
    const [mail] = await mailsTo(email);
    expect(mail?.subject).toContain('password was changed');
    expect(mail?.text).toContain('/account/ForgetPassword');
  });

  test('after ten minutes the one of now is asked for, and a wrong one counts as a try', async () => {
    const { visitor, email } = await signedIn();
    testApp.clock.advance(11 * MINUTE);
    expect(await refused(visitor, typed, PATH)).toBe('passwordNowWrong');
    expect(await refused(visitor, { ...typed, current: 'Wrong-one-1' }, PATH)).toBe(
      'passwordNowWrong',
    );
    expect(await signs(email, NEW)).toBe(false);
    await send(visitor, { ...typed, current: PASSWORD }, PATH);
    expect(await signs(email, NEW)).toBe(true);
    const kinds = await testApp.db
      .selectFrom('audit_events')
      .select('kind')
      .where('kind', 'like', '%assword%')
      .where('outcome', '=', 'failure')
      .execute();
    expect(kinds.length).toBeGreaterThan(0);
  });

  test.each([
    ['weak', 'weak', 'passwordWeak'],
    [NEW, 'another', 'confirmMismatch'],
    [PASSWORD, PASSWORD, 'samePassword'],
    ['Password1!', 'Password1!', 'passwordGuessable'],
  ])('%s with %s is refused', async (password, confirmPassword, message) => {
    const { visitor } = await signedIn();
    expect(await refused(visitor, { password, confirmPassword }, PATH)).toBe(message);
  });

  test('password managers find the page', async () => {
    const answer = await testApp.visitor().request('/.well-known/change-password');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, PATH]);
  });
});

test('[ACC-10] the page of data has a heading in words for each table of a person', () => {
  expect(Object.keys(accountData.tables).toSorted()).toEqual(Object.keys(SOURCES).toSorted());
});

test('[ACC-09] display is saved with the account, and a browser without choices takes it', async () => {
  const { visitor, email } = await signedIn();
  const chosen = { textSize: 'large', theme: 'dark', untimed: 'off' };
  const answer = await send(visitor, chosen, '/account/me/display');
  expect(answer.headers.getSetCookie().join()).toContain('display=dark.large.off');
  const fresh = await signInAgain(email);
  expect(fresh.cookies.get('display')).toBe('dark.large.off');
  const own = testApp.visitor();
  own.cookies.set('display', 'light.largest.on');
  await own.signIn(email, PASSWORD);
  expect(own.cookies.get('display')).toBe('light.largest.on');
});

test('[ACC-09] answers of the sign-up are changed, and only to offered ones', async () => {
  const { visitor } = await signedIn();
  const path = '/account/me/answers';
  await send(visitor, { survey: '412' }, path);
  await send(visitor, { survey: '418', otherText: 'A neighbor' }, path);
  const { answers } = await open(visitor, path);
  expect(answers.map(({ responseId, text }) => [responseId, text])).toEqual([
    [418, ''],
    [419, 'A neighbor'],
  ]);
  expect((await send(visitor, { survey: '999' }, path)).status).toBe(400);
});

describe('[ACC-10] the data', () => {
  test.each(['/account/me/data.json', '/account/me/data.html'])(
    '%s has the own rows and no secret, after a fresh sign-in alone',
    async (path) => {
      const { visitor, email } = await signedIn();
      const stranger = await signedIn();
      const answer = await visitor.request(`${path}?file`);
      expect(answer.headers.get('content-disposition')).toContain('attachment');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const text = (await answer.text()).replaceAll('<wbr>', '');
      expect(text).toContain(email);
      expect(text).not.toContain(stranger.email);
      expect(text).not.toContain('argon2');
      testApp.clock.advance(11 * MINUTE);
      expect((await visitor.request(path)).headers.get('location')).toBe('/account/me/data');
      expect((await testApp.visitor().request(path)).status).toBe(303);
    },
  );

  test('is read in words of the person’s language, with no name of a column', async () => {
    const { visitor, email, userId } = await signedIn();
    await testApp.db
      .updateTable('users')
      .set({ language: 'es' })
      .where('id', '=', userId)
      .execute();
    const html = await (await visitor.request('/account/me/data.html')).text();
    const page = html.replaceAll(/<\/?(?:wbr|bdi|a)\b[^>]*>/g, '');
    expect(page).toContain(`<dt>Correo</dt><dd>${email}</dd>`);
    expect(page).toContain('<dt>Idioma</dt><dd>Español</dd>');
    expect(page).not.toMatch(/_at|_id|<dt>[a-z]/);
    expect(page).toMatch(/<dt>Creado<\/dt><dd>[^<]+ de 20\d\d, \d+:\d\d UTC</);
  });

  test('shows columns that are there, and none that is kept back', async () => {
    const columns = await testApp.db
      .selectFrom(
        sql<{ name: string }>`(
        select table_name || '.' || column_name as name from information_schema.columns)`.as('c'),
      )
      .select('name')
      .execute();
    const known = new Set(columns.map(({ name }) => name));
    for (const [table, fields] of Object.entries(SHOWN)) {
      const source = SOURCES[table as keyof typeof SOURCES];
      const hidden: readonly string[] = 'hidden' in source ? source.hidden : [];
      for (const field of fields) {
        expect(known).toContain(`${table}.${field}`);
        expect(hidden).not.toContain(field);
      }
    }
  });
});

describe('[ACC-11] closing', () => {
  const PATH = '/account/me/close';
  const close = { do: 'close' };
  const erase = () => {
    return eraseClosed(adminContextOf(testApp));
  };

  test('ends all sessions at once, tells the date, and erases after seven days', async () => {
    const { visitor, userId, email } = await signedIn();
    const other = await signInAgain(email);
    expect((await send(visitor, close, PATH)).headers.get('location')).toBe('/account/Closes');
    for (const each of [visitor, other]) expect((await each.request(PATH)).status).toBe(302);
    expect((await mailsTo(email))[0]?.subject).toContain('Your account closes on');
    testApp.clock.advance(7 * DAY - MINUTE);
    await erase();
    expect(await rowOf(userId)).toBeDefined();
    testApp.clock.advance(MINUTE);
    await erase();
    expect(await rowOf(userId)).toBeUndefined();
  });

  test('a sign-in before that keeps it', async () => {
    const { visitor, userId, email } = await signedIn();
    await send(visitor, close, PATH);
    const back = await signInAgain(email);
    expect((await open(back, PATH)).closesOn).not.toBeNull();
    await send(back, { do: 'keep' }, PATH);
    testApp.clock.advance(8 * DAY);
    await erase();
    expect(await rowOf(userId)).toMatchObject({ closing_at: null });
    expect((await mailsTo(email)).some(({ subject }) => subject.includes('stays open'))).toBe(true);
  });

  test('needs a fresh sign-in, and no change that can still be undone', async () => {
    const { visitor, userId, email } = await signedIn();
    const wanted = `new-${email}`;
    await send(visitor, { email: wanted }, '/account/me/email');
    const code = await testApp.codeFor(wanted);
    await send(visitor, { do: 'check', code }, '/account/me/email');
    expect(await refused(visitor, close, PATH)).toBe('closesLater');
    testApp.clock.advance(4 * DAY);
    const later = await signInAgain(wanted);
    testApp.clock.advance(11 * MINUTE);
    await send(later, close, PATH);
    expect(await rowOf(userId)).toMatchObject({ closing_at: null });
  });

  test('waits for the end of an undo that began after it', async () => {
    const { visitor, userId, email } = await signedIn();
    await send(visitor, close, PATH);
    testApp.clock.advance(6 * DAY);
    const back = await signInAgain(email);
    const wanted = `new-${email}`;
    await send(back, { email: wanted }, '/account/me/email');
    const code = await testApp.codeFor(wanted);
    await send(back, { do: 'check', code }, '/account/me/email');
    testApp.clock.advance(2 * DAY);
    await erase();
    expect(await rowOf(userId)).toMatchObject({ email: wanted });
    testApp.clock.advance(2 * DAY);
    await erase();
    expect(await rowOf(userId)).toBeUndefined();
  });

  test('the only operator of the console stays, by My account and by the command line', async () => {
    const { visitor, userId, email } = await signedIn();
    const other = await signedIn();
    const grants = [userId, other.userId].map(
      (accountId) => ({ role: 'operator', accountId }) as const,
    );
    const console = testApp.config.console as ConsoleGrant[];
    const before = console.splice(0, console.length, ...grants);
    try {
      const context = adminContextOf(testApp);
      expect(await setSuspended(context, other.userId, true)).toBe('done');
      expect(await refused(visitor, close, PATH)).toBe('lastOperator');
      await expect(setSuspended(context, userId, true)).rejects.toThrow('LAST_OPERATOR');
      await expect(erasePerson(context, userId)).rejects.toThrow('LAST_OPERATOR');
      await setSuspended(context, other.userId, false);
      await send(await signInAgain(email), close, PATH);
      expect((await rowOf(userId))?.closing_at).not.toBeNull();
      // One that closes is no operator that remains, nor is one without a way in.
      const last = await signInAgain(other.email);
      expect(await refused(last, close, PATH)).toBe('lastOperator');
      await send(await signInAgain(email), { do: 'keep' }, PATH);
      const withoutPassword = { password_hash: null };
      await context.db.updateTable('users').set(withoutPassword).where('id', '=', userId).execute();
      expect(await refused(last, close, PATH)).toBe('lastOperator');
    } finally {
      console.splice(0, console.length, ...before);
    }
  });

  test('S55: a suspension pauses it: its seven days begin again, and a mail says the new day', async () => {
    const { visitor, userId, email } = await signedIn();
    const context = adminContextOf(testApp);
    await send(visitor, close, PATH);
    testApp.clock.advance(6 * DAY);
    await setSuspended(context, userId, true);
    testApp.clock.advance(3 * DAY);
    await erase();
    expect(await rowOf(userId)).toBeDefined();
    await setSuspended(context, userId, false);
    const closings = (await mailsTo(email)).filter(({ subject }) =>
      subject.includes('Your account closes on'),
    );
    expect(new Set(closings.map(({ subject }) => subject)).size).toBe(2);
    testApp.clock.advance(7 * DAY - MINUTE);
    await erase();
    expect(await rowOf(userId)).toBeDefined();
    testApp.clock.advance(MINUTE);
    await erase();
    expect(await rowOf(userId)).toBeUndefined();
  });
});
