import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hashToken } from '../crypto/secret-box.ts';
import { endAttempts } from '../sign-in/move-attempts.ts';
import { createTestApp } from '../testing/test-app.ts';
import { createNotifyModules } from './sign-out-notices.ts';
import { until } from '../testing/until.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const SECRET = 'the secret of this module';
const module = {
  id: 'member-intake',
  rootUrl: 'http://localhost:1/',
  loginUrl: 'http://localhost:1/login',
  secretHash: hashToken(SECRET),
  sealedTo: null,
  signOutUrl: 'http://localhost:1/signed-out',
  accepts: ['otp'],
} as const;

const testApp = closeAtEnd(await createTestApp({ modules: [module] }));

/** Calls while the end of a sign-in is not committed yet: it is, once the call waits for that, or has its answer. */
async function whileEnding<T>(signInId: string, call: () => Promise<T>): Promise<T> {
  const under = await testApp.db.transaction().execute(async (transaction) => {
    const recordEnded = createNotifyModules(testApp.app, [module]);
    await endAttempts(transaction, (eb) => eb('id', '=', signInId), {
      now: testApp.clock.now(),
      recordEnded,
    });
    let isOver = false;
    const way = call().finally(() => (isOver = true));
    await until(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(transaction);
      return isOver || rows.length > 0;
    });
    return { way };
  });
  return under.way;
}

test('[OPS-56] a hand-off that is redeemed while its session ends lets nobody in untold', async () => {
  const visitor = testApp.visitor();
  await visitor.signIn('member');
  const { url } = await visitor.ok('issueHandoff', { body: { choice: null, entrance: 'portal' } });
  const query = new URL(url).searchParams;
  const token = Buffer.from(query.get('token') ?? '', 'base64').toString();
  const id = query.get('loggenInId') ?? '';
  const authorization = `Basic ${Buffer.from(`${module.id}:${SECRET}`).toString('base64')}`;
  const redeem = async () => {
    const headers = { authorization, origin: '', 'sec-fetch-site': '' };
    const { status } = await testApp.visitor().call('redeemHandoff', { body: { token } }, headers);
    return status;
  };
  const answer = await whileEnding(id, redeem);
  const jobs = await testApp.db
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', 'moduleSignOut')
    .execute();
  expect({ answer, jobs: jobs.length }).toEqual({ answer: 401, jobs: 0 });
});

test('[HND-04] a session that ends while its hand-off is written hands nobody over', async () => {
  const visitor = testApp.visitor();
  const { logUserLoginId: id } = await visitor.signIn('member');
  const answer = await whileEnding(id, () =>
    visitor.call('issueHandoff', { body: { choice: null, entrance: 'portal' } }),
  );
  expect([answer.status, answer.errorFlag]).toEqual([401, 'NO_SESSION']);
  const written = await testApp.db
    .selectFrom('handoffs')
    .select('jti')
    .where('sign_in_id', '=', id)
    .orderBy('jti')
    .execute();
  expect(written).toEqual([]);
});
