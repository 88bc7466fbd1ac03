/** [OPS-03] An operator's accounts: made, looked at, given roles, switched off and on, each with its event. */

import { afterAll, describe, expect, test } from 'vitest';
import { createAudit } from '#server/audit/audit.ts';
import { createTestApp, createTestContext } from '#server/testing/test-app.ts';
import { demoEmail } from '#server/demo/seed.ts';
import { operate as run } from '#server/testing/operate.ts';
import { readCommand } from './verbs.ts';
import { sentBack } from '#server/testing/reset.ts';

const STAFF = 3;
const ADMIN = 4;
const PASSWORD = 'Quiet-Lantern-52';

const testApp = await createTestApp();
const context = await createTestContext();
afterAll(async () => {
  await testApp.close();
  await context.database.close();
});

/** The command on the database of the running portal. */
async function operate(...words: string[]): Promise<string> {
  const { db, clock } = testApp;
  const audit = createAudit({ db, clock, actor: 'operator:test' });
  return (await run({ ...context, db, clock, audit }, 'user', ...words)).text;
}
const shown = async (word: string) => JSON.parse(await operate('show', word)) as object;

test('staff are added, set a password by the mail, and sign in; nobody does before', async () => {
  const email = 'nora@example.test';
  const said = await operate('add', email, 'nora', 'Lind', '--role', String(STAFF));
  expect(said).toMatch(
    /^nora@example\.test is added as \d+\. To set a password: .*\/account\/ForgetPassword\?subtenantId=742, /,
  );
  expect(await shown(email)).toMatchObject({
    name: 'nora Lind',
    status: 'active',
    canSignIn: false,
    subtenantId: 742,
    roles: [STAFF],
    emailProvenAt: null,
  });
  const visitor = testApp.visitor();
  expect((await visitor.authenticate(email, PASSWORD)).status).toBe(403);

  await visitor.ok('forgotPassword', { body: { userName: email, emailID: email } });
  const link = (await testApp.inbox(email)).find((message) => message.link)?.link ?? 'x:';
  const resetKey = new URL(link).searchParams.get('resetLinkKey') ?? '';
  const user = await visitor.ok('getResetUser', { params: { resetKey, ip: '::1' } });
  if (!user) throw new Error('The link is dead');
  await visitor.ok('updatePassword', { body: { ...sentBack(user), password: PASSWORD } });
  const login = await visitor.signIn(email, PASSWORD);
  expect(login.userRoles.map(({ roleId }) => roleId)).toEqual([STAFF]);
  expect(await shown(email)).toMatchObject({
    canSignIn: true,
    emailProvenAt: expect.any(String) as string,
  });
});

test('[OPS-12] who is invited sets a password by the newest mail, once; then nobody is invited again', async () => {
  const email = 'ida@example.test';
  const said = await operate('invite', email, 'Ida', 'Berg', '--role', String(STAFF));
  expect(said).toMatch(/^ida@example\.test is invited as \d+\./);
  const keyOf = async () => {
    const [link = 'x:'] = (await testApp.inbox(email)).flatMap((message) => message.link ?? []);
    return new URL(link).searchParams.get('resetLinkKey') ?? '';
  };
  const lost = await keyOf();
  expect(await operate('invite', email)).toContain('is invited as');
  const resetKey = await keyOf();
  expect(resetKey).not.toBe(lost);
  const visitor = testApp.visitor();
  const open = async (key: string) =>
    (await visitor.call('getResetUser', { params: { resetKey: key, ip: '::1' } })).data;
  expect(await open(lost)).toBeNull();
  // After a weekend, too.
  testApp.clock.advance(60 * 60 * 60);
  const user = await open(resetKey);
  if (!user) throw new Error('The link is dead');
  expect(user.isFirst).toBe(true);
  await visitor.ok('updatePassword', { body: { ...sentBack(user), password: PASSWORD } });
  expect(await open(resetKey)).toBeNull();
  const subject = 'Your Rosewood Senior Living password is set';
  expect(await testApp.inbox(email)).toMatchObject([{ subject }, {}, {}]);
  const login = await visitor.signIn(email, PASSWORD);
  expect(login.userRoles.map(({ roleId }) => roleId)).toEqual([STAFF]);
  await expect(operate('invite', email)).rejects.toThrow('has a password: nothing was sent');
  await expect(operate('invite', 'nobody@example.test')).rejects.toThrow('There is no account');
});

test('N12: roles are given and taken, are told by name, and count at the next sign-in', async () => {
  const email = demoEmail('agent');
  const said = await operate('roles', email, '--give', 'Admin', '--give', 'staff', '--take', '5');
  expect(said).toContain('are now: 3 Staff, 4 Admin.');
  expect(await shown(email)).toMatchObject({ roles: [STAFF, ADMIN] });
  const login = await testApp.visitor().signIn('agent');
  expect(login.userRoles.map(({ roleId }) => roleId)).toEqual([STAFF, ADMIN]);
});

test('[PRF-09] who is switched off is signed out, and told so behind password and code alone', async () => {
  const email = demoEmail('counter');
  const visitor = testApp.visitor();
  await visitor.signIn('counter');
  expect((await visitor.ok('getVisit', {})).login).not.toBeNull();
  expect(await operate('suspend', email)).toContain('is switched off');
  expect((await visitor.ok('getVisit', {})).login).toBeNull();
  const { otpId, userId } = await testApp.visitor().reachCode(email);
  expect([otpId, userId]).not.toContain('');
  // N11: a repeated command says so, and is no fault.
  expect(await operate('suspend', email)).toContain('Nothing was done');
  expect(await operate('resume', email)).toContain('is switched on');
  expect(await operate('resume', email)).toContain('Nothing was done');
  // Ended sessions stay ended, here and at the hosted login.
  expect((await visitor.ok('getVisit', {})).login).toBeNull();
  const silent = await visitor.authorize((await visitor.begin(false)).authorizeUrl);
  expect(silent.error).toBe('login_required');
  await testApp.visitor().signIn('counter');
});

test('each is in the audit log, by the operator', async () => {
  const events = await testApp.db
    .selectFrom('audit_events')
    .select(['kind', 'actor'])
    .where('kind', 'in', [
      'account.added',
      'account.invited',
      'account.rolesChanged',
      'account.suspended',
      'account.resumed',
    ])
    .orderBy('id')
    .execute();
  expect(events.map(({ kind }) => kind)).toEqual([
    'account.added',
    'account.added',
    'account.invited',
    'account.invited',
    'account.rolesChanged',
    'account.suspended',
    'account.resumed',
  ]);
  expect(new Set(events.map(({ actor }) => actor))).toEqual(new Set(['operator:test']));
});

describe('what cannot be is said', () => {
  test.each([
    [['add', demoEmail('member'), 'A', 'B'], 'There is an account of'],
    [['add', 'new@example.test', 'A', 'B', '--subtenant', '41'], 'no open subtenant 41'],
    [['show', 'nobody@example.test'], 'There is no account'],
    [['roles', 'nobody@example.test', '--give', '3'], 'There is no account'],
  ])('by the database: %j', async (words, said) => {
    await expect(operate(...words)).rejects.toThrow(said);
  });

  test.each([
    [['add', 'no-address', 'A', 'B'], 'is no email address'],
    [['add', 'a@example.test', 'A'], "Missing required argument 'LAST'"],
    [['add', 'a@example.test', 'A', '42'], 'A first and a last name'],
    [['add', 'a@example.test', 'A', 'B', '--phone', '2125550142'], 'begins with +'],
    [['add', 'a@example.test', 'A', 'B', '--role', '99'], '99 is no role'],
    [['add', 'a@example.test', 'A', 'B', '--give', '3'], 'Usage:'],
    [['add', 'a@example.test', 'A', 'B', 'C'], 'Usage:'],
    [['roles', 'a@example.test'], 'Usage:'],
    [['roles', 'a@example.test', '--give', 'all'], 'all is no role'],
    [['suspend', 'a@example.test', '--yes'], 'Usage:'],
    [['suspend'], 'Usage:'],
  ])('before anything is opened: %j', (words, said) => {
    expect(() => readCommand(['user', ...words])).toThrow(said);
  });
});

test('[OPS-84] user find: by part of a name, of an address, of a number; letters that SQL reads are letters', async () => {
  await operate('add', 'finn.o_hara@example.test', 'Finn', "O'Hara", '--phone', '+12125550142');
  const found = async (text: string) => (await operate('find', text)).match(/finn\.o_hara@/g);
  for (const text of ['finn', "O'HARA", 'n o', 'o_hara', '212-555-0142', '5550142']) {
    expect(await found(text)).toHaveLength(1);
  }
  for (const text of ['finn%hara', 'f_nn', '9999999']) {
    await expect(operate('find', text)).rejects.toThrow('No account has');
  }
});

describe('[OPS-84] user set', () => {
  const add = async (email: string) => {
    await operate('add', email, 'Vera', 'Holm', '--phone', '+12125550143');
    const { id } = (await shown(email)) as { readonly id: number };
    await testApp.db
      .updateTable('users')
      .set({ email_proven_at: new Date(), phone_proven_at: new Date() })
      .where('id', '=', id)
      .execute();
    return id;
  };

  test('name and subtenant: what is left out stays, and what is so already is said', async () => {
    const id = await add('vera.one@example.test');
    const said = await operate('set', String(id), '--last', 'Holm-Berg', '--subtenant', '3');
    expect(said).toBe(`Set for ${id}: lastName, subtenantId.\n`);
    expect(await shown(String(id))).toMatchObject({
      name: 'Vera Holm-Berg',
      subtenantId: 3,
      email: 'vera.one@example.test',
      emailProvenAt: expect.any(String) as string,
    });
    expect(await operate('set', String(id), '--last', 'Holm-Berg')).toContain('already');
    const events = await testApp.db
      .selectFrom('audit_events')
      .select(['actor', 'details'])
      .where('user_id', '=', id)
      .where('kind', '=', 'account.changed')
      .execute();
    expect(events).toEqual([
      { actor: 'operator:test', details: { changed: ['lastName', 'subtenantId'] } },
    ]);
  });

  test('a new address and number are not proven, and the link that went to the old one is dead', async () => {
    const id = await add('vera.two@example.test');
    await operate('invite', 'vera.two@example.test');
    const [link = 'x:'] = (await testApp.inbox('vera.two@example.test')).flatMap(
      (message) => message.link ?? [],
    );
    const words = ['--email', 'Vera.Three@example.test', '--phone', '+12125550144'];
    expect(await operate('set', String(id), ...words)).toContain('email, phone');
    expect(await shown('vera.three@example.test')).toMatchObject({
      id,
      email: 'Vera.Three@example.test',
      phone: '+12125550144',
      emailProvenAt: null,
      phoneProvenAt: null,
    });
    const resetKey = new URL(link).searchParams.get('resetLinkKey') ?? '';
    const answer = await testApp
      .visitor()
      .call('getResetUser', { params: { resetKey, ip: '::1' } });
    expect(answer.succeeded).toBe(false);
  });

  test('refused: another account’s address, an open sign-up, odd values; nothing changes', async () => {
    const id = await add('vera.four@example.test');
    await expect(operate('set', String(id), '--email', demoEmail('member'))).rejects.toThrow(
      'Another account has that address',
    );
    const pending = await testApp.db
      .selectFrom('users')
      .select('id')
      .where('status', '=', 'pending')
      .where('shadow_of', 'is', null)
      .executeTakeFirstOrThrow();
    await expect(operate('set', String(pending.id), '--last', 'X')).rejects.toThrow('not finished');
    for (const [why, ...words] of [
      ['no email address', '--email', 'x'],
      ['begins with +', '--phone', '555'],
      ['a letter in it', '--last', '1'],
      ['no open subtenant', '--subtenant', '999999'],
      ['Usage:', '--role', '3'],
      ['Usage:'],
    ]) {
      await expect(async () => operate('set', String(id), ...words)).rejects.toThrow(why);
    }
    expect(await shown(String(id))).toMatchObject({ email: 'vera.four@example.test' });
  });
});
