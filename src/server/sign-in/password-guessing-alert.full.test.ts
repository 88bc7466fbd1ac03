import { describe, expect, test } from 'vitest';
import { rateLimitKey } from '../abuse/rate-limits.ts';
import { RATE_LIMITS, type RateLimit } from '../config/limits.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { demoEmail } from '../demo/seed.ts';
import { createTestApp, PASSWORD, SECRET } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());

const DAY = 24 * 60 * 60;
const SUBJECT = 'Someone tried to sign in to your Rosewood Senior Living account';

/** Wrong passwords from everywhere: five a network, so that none of them waits. */
async function attack(email: string, times: number) {
  const answers: { status: number; body: string }[] = [];
  let attacker = testApp.visitor();
  for (let n = 0; n < times; n += 1) {
    if (n % 5 === 0) attacker = testApp.visitor();
    const { hostedLogin } = await attacker.ok('getSettings', {});
    const response = await attacker.post(`${hostedLogin.base}co/authenticate`, {
      client_id: hostedLogin.clientId,
      credential_type: 'http://auth0.com/oauth/grant-type/password-realm',
      realm: hostedLogin.realm,
      username: email,
      password: `Wrong-${n}-x`,
    });
    answers.push({ status: response.status, body: await response.text() });
  }
  await testApp.app.outbox.settle();
  return answers;
}
const told = async (email: string) =>
  (await testApp.inbox(email)).filter(({ subject }) => subject === SUBJECT);
const jobs = async () =>
  (await testApp.db.selectFrom('outbox').select('id').where('kind', '=', 'ownerWarning').execute())
    .length;

describe('[R19] the owner of an account whose password is tried', () => {
  test('is told at the twentieth wrong one, once a day, and that nothing has to be done', async () => {
    const email = 'tried@example.test';
    await testApp.visitor().register({ emailAddress: email });
    await attack(email, 19);
    expect(await told(email)).toEqual([]);
    await attack(email, 1);
    const [mail, ...more] = await told(email);
    expect(more).toEqual([]);
    expect(mail?.text).toContain('You do not have to do anything.');
    expect(mail?.text).toContain('/account/ForgetPassword?subtenantId=742');
    expect([mail?.code, mail?.link]).toEqual([null, null]);

    // Who solves what is asked for tries on: no second mail.
    const stubborn = testApp.visitor();
    for (let n = 0; n < 3; n += 1) {
      const proof = await stubborn.prove('signIn');
      await stubborn.call('beginSession', { body: { entrance: 'portal', isFresh: true } }, proof);
      expect((await stubborn.authenticate(email, `Wrong-more-${n}`)).status).toBe(403);
    }
    await testApp.app.outbox.settle();
    expect(await told(email)).toHaveLength(1);

    testApp.clock.advance(DAY + 1);
    await attack(email, 20);
    expect(await told(email)).toHaveLength(2);
    const events = await testApp.db
      .selectFrom('audit_events')
      .orderBy('id')
      .select('user_id')
      .where('kind', '=', 'signIn.ownerWarned')
      .execute();
    expect(events).toHaveLength(2);
  });

  test('a new password in between starts the count anew, but not the day of the mail', async () => {
    const email = 'again@example.test';
    await testApp.visitor().register({ emailAddress: email });
    await attack(email, 20);
    const forget = (...limits: readonly RateLimit[]) =>
      testApp.db
        .deleteFrom('limits')
        .where(
          'key',
          'in',
          limits.map((limit) => rateLimitKey(createSecretBox(SECRET), [limit, email])),
        )
        .execute();
    await forget(RATE_LIMITS.passwordProofPerAccount);
    expect((await testApp.visitor().authenticate(email, PASSWORD)).status).toBe(200);
    await attack(email, 20);
    // Nor does it depend on the counter of mails alone, which a demo makes a hundred times wider.
    await forget(RATE_LIMITS.passwordProofPerAccount, RATE_LIMITS.passwordGuessingAlert);
    await attack(email, 20);
    expect(await told(email)).toHaveLength(1);
  });

  test('nobody who tries can tell: an address of nobody costs and answers the same, and gets no mail', async () => {
    const known = 'known@example.test';
    await testApp.visitor().register({ emailAddress: known });
    const before = await jobs();
    const answers = await attack(known, 20);
    expect((await jobs()) - before).toBe(1);
    const unknown = 'unknown@example.test';
    expect(await attack(unknown, 20)).toEqual(answers);
    expect((await jobs()) - before).toBe(2);
    expect(await testApp.inbox(unknown)).toEqual([]);
    expect(await told(known)).toHaveLength(1);
  });

  test('an account that was closed is told nothing', async () => {
    await attack(demoEmail('suspended'), 20);
    expect(await testApp.inbox(demoEmail('suspended'))).toEqual([]);
  });

  test('a sign-up that was not finished is told nothing', async () => {
    const email = 'pending@example.test';
    await testApp.visitor().signUp({ emailAddress: email });
    await attack(email, 20);
    expect(await told(email)).toEqual([]);
  });
});
