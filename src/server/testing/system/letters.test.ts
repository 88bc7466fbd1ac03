/** Letters that a program may take apart, on each way that a typed text takes. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertAccounts } from '../../accounts/account-store.ts';
import { foldAllNames } from '../../accounts/name-keys.ts';
import { createAudit } from '../../audit/audit.ts';
import { createAccountPages } from '../account-pages.ts';
import { type Desk, openDesk } from '../desk.ts';
import { operate } from '../operate.ts';
import { createTestAppWithPages, createTestContext } from '../test-app.ts';
import { sentBack } from '../reset.ts';

const LETTERS = {
  Gothic: '\u{10330}',
  'a rare Han letter': '\u{20BB7}',
  'a letter with a mark of its own': 'x\u0301',
  'a letter that Unicode puts together': 'e\u0301',
  'a joiner between letters': 'क्\u200Dष',
} as const;
const PICTURES = { family: '👩‍👩‍👧', flag: '🇪🇸', picture: '🎉' } as const;

const directory = mkdtempSync(join(tmpdir(), 'letters-'));
let context: Awaited<ReturnType<typeof createTestContext>>;
let desk: Desk;
const pages = createAccountPages(() => testApp);
const testApp = await createTestAppWithPages({ limitFactor: 1000 });
beforeAll(async () => {
  context = await createTestContext();
  const { db, clock } = testApp;
  context = { ...context, db, clock, audit: createAudit({ db, clock, actor: 'operator:test' }) };
  desk = await openDesk(testApp, 'staff');
});
afterAll(async () => {
  await testApp.close();
  await context.database.close();
  rmSync(directory, { recursive: true, force: true });
});

let count = 0;
const newEmail = (start: string) => `${start}y-${(count += 1)}@letters.test`;
const user = async (...words: string[]) => (await operate(context, 'user', ...words)).text;
async function found(text: string): Promise<readonly string[]> {
  const { page } = await desk.open(`/console?q=${encodeURIComponent(text)}`);
  if (page?.kind !== 'search') throw new Error('No search');
  return page.found?.people.map(({ name }) => name) ?? [];
}

/** Sets a new password by a mailed link, as the page does. @returns the mask that the page shows, and the answer */
async function reset(email: string) {
  testApp.clock.advance(1);
  const visitor = testApp.visitor();
  await visitor.ok('forgotPassword', { body: { userName: email, emailID: email } });
  const [mail] = await pages.mailsTo(email);
  const resetKey = new URL(mail?.link ?? 'x:').searchParams.get('resetLinkKey') ?? '';
  const shown = await visitor.ok('getResetUser', { params: { resetKey, ip: '::1' } });
  if (!shown) throw new Error('The link is dead');
  const proof = await visitor.prove('resetPassword');
  const changed = { ...sentBack(shown), password: 'Quiet-Lantern-52' };
  const { errorFlag } = await visitor.call('updatePassword', { body: changed }, proof);
  return { shown, errorFlag };
}

describe.each(Object.entries(LETTERS))('[OPS-109] S66: %s', (_, letter) => {
  const name = letter.repeat(Math.floor(80 / letter.length));

  test('signs up, resets the password, changes the address, and is found', async () => {
    const email = newEmail(letter.normalize().replaceAll('\u200D', ''));
    const { userId } = await testApp.visitor().register({
      emailAddress: email,
      firstName: name,
      lastName: `A${name.slice(letter.length)}`,
    });
    const { shown: opened, errorFlag } = await reset(email);
    expect(opened.email).toBe(email);
    expect(opened.userName.isWellFormed()).toBe(true);
    expect(errorFlag).not.toBe(true);
    const wanted = `new-${email}`;
    const visitor = await pages.signInAgain(email, 'Quiet-Lantern-52');
    await pages.send(visitor, { email: wanted }, '/account/me/email');
    const code = await testApp.codeFor(wanted);
    await pages.send(visitor, { do: 'check', code }, '/account/me/email');
    const mails = JSON.stringify([
      ...(await pages.mailsTo(email)),
      ...(await pages.mailsTo(wanted)),
    ]);
    expect(mails).not.toMatch(/\uFFFD|\\ud[89a-f]/i);
    const person = await pages.rowOf(userId);
    const shown = `${person?.first_name} ${person?.last_name}`;
    expect(await found(`${person?.last_name} ${person?.first_name}`)).toEqual([shown]);
  });

  test('is imported and exported as it was written', async () => {
    const email = newEmail('csv');
    const file = join(directory, `${count}.csv`);
    writeFileSync(file, `email,firstName,lastName\n${email},${name},"${name}"\n`);
    await user('import', file, '--subtenant', '742');
    expect(await user('show', email)).toContain(name);
    expect(await user('export', email)).toContain(name);
    expect(await user('find', name)).toContain(email);
  });
});

test.each(Object.entries(PICTURES))(
  '[OPS-109] S64: a browser and a search that have a %s are read without a fault',
  async (_, picture) => {
    const long = picture.repeat(200);
    const { status } = await testApp.visitor().request('/account/ForgetPassword?subtenantId=742', {
      headers: { 'user-agent': encodeURIComponent(long) },
    });
    expect(status).toBe(200);
    expect(await found(`A${long}`)).toEqual([]);
    const dump = await testApp.dump();
    expect(dump.isWellFormed()).toBe(true);
  },
);

describe('[CON-04] S64: names that cannot be made ready', () => {
  const CROWD = 260;
  const crowd = (first_name: string, last_name: string) =>
    insertAccounts(
      testApp.db,
      Array.from({ length: CROWD }, () => ({
        email: newEmail('crowd'),
        first_name,
        last_name,
        dial_code: '',
        mobile: '',
        subtenant_id: 742,
        status: 'active' as const,
        created_at: testApp.clock.now(),
      })),
    );

  test.each([
    ['because of a cut letter', `A${'\u{10330}'.repeat(30)}`, '\u{10330}'.repeat(30), false],
    ['because the database refuses them', 'Poisoned', 'Private', true],
  ])('keep no good person from the search, %s', async (_, first, last, isRefused) => {
    const { db } = testApp;
    await foldAllNames(db).catch(() => undefined);
    if (isRefused) {
      await sql`create function refuses() returns trigger language plpgsql as $$
        begin raise exception 'a row is refused'; end $$`.execute(db);
      await sql`create trigger refuses before insert on name_keys for each row
        when (new.words like '% poisoned%') execute function refuses()`.execute(db);
    }
    await crowd(first, last);
    const email = newEmail('good');
    await user('add', email, 'Benedikta', `Gut${count}`);
    expect(await found(`gut${count} benedikta`)).toEqual([`Benedikta Gut${count}`]);
    const run = await foldAllNames(db).then(
      () => null,
      (error: unknown) => error,
    );
    // Said once, with a count, one account and no name.
    expect(String(run)).toBe(isRefused ? `Error: Rows that failed: ${CROWD}` : 'null');
    expect(JSON.stringify([run, String((run as Error | null)?.cause)])).not.toMatch(
      /poisoned|private/i,
    );
    await sql`drop trigger if exists refuses on name_keys`.execute(db);
    await sql`update names_to_fold set not_before = now() - interval '1 second'`.execute(db);
    await foldAllNames(db);
    const { rows } = await sql`select 1 from names_to_fold`.execute(db);
    expect(rows).toEqual([]);
    expect(await found(`${last} ${first}`)).not.toEqual([]);
  });
});

test('[OPS-84] F86: a person whom a command adds or imports is found before a server runs', async () => {
  const email = newEmail('angela');
  const file = join(directory, 'added.csv');
  writeFileSync(file, `email,firstName,lastName\nimported-${email},Ángela,Importada\n`);
  await user('add', email, 'Ángela', 'Añadida');
  await user('import', file, '--subtenant', '742');
  await user('set', email, '--last', 'Mudada');
  expect(await user('find', 'mudada angela')).toContain(email);
  expect(await user('find', 'angela importada')).toContain(`imported-${email}`);
});

test('[OTP-15] F47: console, command and doctor say how texts write the name of a house', async () => {
  const name = 'Residência “São João”';
  const written = 'Residencia "Sao Joao"';
  const asked = ['subtenant', 'set', '900', '--name', name, '--even-so'];
  const { text: set } = await operate(context, ...asked);
  expect(set).toContain(written);
  const { text: added } = await operate(context, 'subtenant', 'add', '77', '玫瑰之家');
  expect(added).toContain('"Porchlight"');
  const { text: plain } = await operate(context, 'subtenant', 'add', '78', 'Elm Court');
  expect(plain).not.toContain('Text messages');
  const { text: checked } = await operate(context, 'subtenant', 'check');
  expect(checked).toContain(written);
  expect(checked).toContain('"Porchlight"');
  expect(checked).not.toContain('Elm Court');
  const operator = await openDesk(testApp, 'admin');
  const look = await operator.open('/console/subtenants/900/look');
  expect(JSON.stringify(look.page)).toContain(JSON.stringify(written).slice(1, -1));
  const links = await operator.open('/console/subtenants/77/links');
  expect(JSON.stringify(links.page)).toContain('Porchlight');
});
