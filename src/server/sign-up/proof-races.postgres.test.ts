/** What meets at the same moment over one address. The embedded database answers one statement at a time. */

import pg from 'pg';
import { expect, test } from 'vitest';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import { createNewcomer } from '../testing/proving.ts';
import { activation, createTestApp } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));

const ROUNDS = Array.from({ length: 6 }, (_, index) => index);
const THREE = [1, 2, 3];

const accountsOf = (email: string) =>
  testApp.db
    .selectFrom('users')
    .select(['first_name', 'status', 'email_proven_at'])
    .where('email_canonical', '=', email)
    .execute();

test('[PRF-02] a text that activates and a mail that takes over, at once: the mailbox wins, nobody gets an error of ours', async () => {
  for (const round of ROUNDS) {
    const emailAddress = `race-${round}@example.test`;
    const [stranger, owner] = [
      createNewcomer(testApp, {
        emailAddress,
        mobileNumber: `55508${String(round).padStart(5, '0')}`,
        firstName: 'Mallory',
        password: 'Planted-Pass-1',
      }),
      createNewcomer(testApp, {
        emailAddress,
        mobileNumber: `55509${String(round).padStart(5, '0')}`,
        firstName: 'Olga',
        password: 'Sunny-Porch-7',
      }),
    ];
    for (const each of [stranger, owner]) {
      await each.signUp();
      await each.send();
    }
    expect((await stranger.readText()).data).toBe(true);
    expect((await owner.readMail()).data).toBe(true);
    const answers = await Promise.all(THREE.flatMap(() => [stranger.activate(), owner.activate()]));
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    expect(answers.filter((_, index) => index % 2 === 1).map(({ data }) => data)).toEqual([
      true,
      true,
      true,
    ]);
    expect(await accountsOf(emailAddress)).toEqual([
      { first_name: 'Olga', status: 'active', email_proven_at: expect.any(Date) },
    ]);
    expect((await stranger.visitor.authenticate(emailAddress, 'Planted-Pass-1')).status).toBe(403);
    expect((await owner.visitor.authenticate(emailAddress, 'Sunny-Porch-7')).status).toBe(200);
  }
});

test('[PRF-03] a role that is added three times at once, by two codes and a password: one role, one lead, one mail', async () => {
  for (const name of ['member', 'agent', 'partner', 'special', 'intake']) {
    const emailAddress = demoEmail(name);
    const academy = { emailAddress, subtenantId: 3 };
    const proven = [];
    for (let n = 0; n < 2; n += 1) {
      const visitor = testApp.visitor();
      const created = (await visitor.signUp(academy)).data;
      const userId = created?.userId ?? 0;
      const otpId = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
      const otp = await testApp.codeFor(emailAddress);
      await visitor.ok('verifyOtp', { body: { id: otpId, createdBy: userId, otp } });
      proven.push({ visitor, body: activation({ userId, id: created?.id ?? '' }, otpId) });
    }
    const answers = await Promise.all([
      ...proven.map(({ visitor, body }) => visitor.call('activateUser', { body })),
      testApp.visitor().signUp({ ...academy, password: DEMO_PASSWORD }),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const roles = await testApp.db
      .selectFrom('user_roles')
      .innerJoin('users', 'users.id', 'user_roles.user_id')
      .select('role_id')
      .where('users.email_canonical', '=', emailAddress)
      .where('role_id', '=', 18)
      .execute();
    expect(roles).toHaveLength(1);
    const leads = (await testApp.leads()).filter((lead) => lead.email === emailAddress);
    expect(leads).toHaveLength(1);
    const mails = (await testApp.inbox(emailAddress)).filter(({ code }) => code === null);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Your account now works at Porchlight Academy',
    ]);
  }
});

test('[R40] a form that is being filled in for an address which somebody else gives up at that moment is kept', async () => {
  const emailAddress = 'given-up@example.test';
  const visitor = testApp.visitor();
  const created = (await visitor.signUp({ emailAddress })).data;
  const userId = created?.userId ?? 0;
  const id = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
  const { id: visitId } = await testApp.db
    .selectFrom('visits')
    .select('id')
    .executeTakeFirstOrThrow();
  // What another visit's sign-up holds between its lock and its commit.
  const other = new pg.Client({ connectionString: testApp.database.url ?? '' });
  await other.connect();
  const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
  await other.query('begin');
  await other.query(`select id from users where id = $1 for no key update`, [userId]);
  await other.query(
    `insert into registrations (id, visit_id, user_id, first_name, last_name, dial_code, mobile, email,
       password_hash, role_id, subtenant_id, mode, created_at)
     values ('kept', $1, $2, 'Olga', 'Lind', '+1', '5550142290', $3, 'hash', 1, 742, 'VERIFY_OTP', $4)`,
    [visitId, userId, emailAddress, testApp.clock.now()],
  );
  let isOver = false;
  const moved = visitor
    .call('changeAddress', {
      body: { id, createdBy: userId, emailAddress: 'right@example.test' },
    })
    .finally(() => (isOver = true));
  const isWaiting = async () => {
    const blocked = await other.query(
      'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
      [rows[0]?.pid],
    );
    return blocked.rowCount !== 0;
  };
  while (!isOver && !(await isWaiting())) await new Promise((done) => setTimeout(done, 10));
  await other.query('commit');
  await other.end();
  expect((await moved).status).toBe(200);
  const kept = await testApp.db
    .selectFrom('registrations')
    .select('id')
    .where('user_id', '=', userId)
    .execute();
  expect(kept).toEqual([{ id: 'kept' }]);
});
