/** Links of an operator who has set shorter times: they end by them, and their mails say so. */

import { describe, expect, test } from 'vitest';
import { createAudit } from '../audit/audit.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { operate } from '../testing/operate.ts';
import { createTestApp, SECRET, type TestApp } from '../testing/test-app.ts';
import { timersWith } from '../testing/timers.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const MINUTE = 60;
const timers = timersWith({
  PORCHLIGHT_RESET_LINK_MINUTES: '10',
  PORCHLIGHT_ACTIVATION_LINK_HOURS: '6',
  PORCHLIGHT_INVITATION_DAYS: '2',
});

const testApp = closeAtEnd(await createTestApp({ timers }));

const lifeOf = ({ created_at, expires_at }: { created_at: Date; expires_at: Date }) =>
  (expires_at.getTime() - created_at.getTime()) / 1000 / MINUTE;
const linksOf = (table: 'reset_links' | 'activation_links', { db }: TestApp = testApp) =>
  db.selectFrom(table).select(['created_at', 'expires_at']).orderBy('created_at').execute();
/** How many mails to somebody have these words. */
const mailsWith = async (words: string, email: string) =>
  (await testApp.inbox(email)).filter(({ text }) => text.includes(words)).length;

describe('[OPS-82] [R31] a mail tells the time that is set, and its link ends by it', () => {
  test('a sign-up', async () => {
    const emailAddress = 'signing-up@example.test';
    await testApp.visitor().register({ emailAddress });
    expect(await mailsWith('on any device. It works for 6 hours.', emailAddress)).toBe(1);
    expect((await linksOf('activation_links')).map(lifeOf)).toEqual([6 * 60]);
  });

  test('a sign-up that was left, after a forgotten password where nobody is told (strict)', async () => {
    const strict = await createTestApp({ timers, enumerationProtection: 'strict' });
    const email = 'left-half-way@example.test';
    await strict.visitor().signUp({ emailAddress: email });
    await strict.visitor().call('forgotPassword', { body: { userName: email, emailID: email } });
    const [mail] = await strict.inbox(email);
    expect(mail?.text).toContain('Open this link, on any device. It works for 6 hours.');
    expect((await linksOf('activation_links', strict)).map(lifeOf)).toEqual([6 * 60]);
    await strict.close();
  });

  test('a forgotten password; past the limit a new link comes before the newest has ended', async () => {
    const email = 'forgetful@example.test';
    await testApp.visitor().register({ emailAddress: email });
    const ask = async () => {
      testApp.clock.advance(1);
      const visitor = testApp.visitor();
      return visitor.call('forgotPassword', {
        body: {
          userName: email,
          emailID: email,
          requestedIP: '::1',
          commMedium: 'Email',
          commSendOn: email,
        },
      });
    };
    for (let n = 0; n < 7; n += 1) await ask();
    const mails = () => mailsWith('It works once, and for 10 minutes.', email);
    expect(await mails()).toBe(5);
    testApp.clock.advance(5 * MINUTE);
    await ask();
    expect(await mails()).toBe(6);
    expect((await linksOf('reset_links')).map(lifeOf).at(-1)).toBe(10);
  });

  test('an invitation, and what its operator reads', async () => {
    const { db, clock, config } = testApp;
    const audit = createAudit({ db, clock, actor: 'operator:test' });
    const context = { db, clock, config, secretBox: createSecretBox(SECRET), audit };
    const email = 'invited@example.test';
    const said = await operate(
      context,
      'user',
      'invite',
      email,
      'Rosa',
      'Lind',
      '--role',
      '1',
      '--subtenant',
      '742',
    );
    expect(await mailsWith('It works once, and for 2 days.', email)).toBe(1);
    expect(said.text).toContain('its link works for 2 days.');
    expect((await linksOf('reset_links')).map(lifeOf).at(-1)).toBe(2 * 24 * 60);
  });
});
