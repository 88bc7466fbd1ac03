import { describe, expect, test } from 'vitest';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import { createOutbox } from '../jobs/outbox.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { createTestContext, createTestApp } from '../testing/test-app.ts';
import { claimsOf } from './claims.ts';
import { sendTrialReminders } from './trial-reminders.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));

const DAY = 24 * 60 * 60;
let count = 0;
const newEmail = () => `trial-${(count += 1)}@example.test`;
const trialMails = async (email: string) =>
  (await testApp.inbox(email))
    .map(({ subject }) => subject)
    .filter((subject) => subject.includes('free trial ends'));

async function onTrial() {
  const emailAddress = newEmail();
  await testApp.visitor().register({ emailAddress, subtenantId: 3 });
  return emailAddress;
}
const WEEK = 'Your Porchlight Academy free trial ends in 7 days';
const LAST_DAY = 'Your Porchlight Academy free trial ends in 1 day';

describe('the end of the 30 days', () => {
  test('is announced a week and a day before, each once', async () => {
    const email = await onTrial();
    const after = async (seconds: number) => {
      testApp.clock.advance(seconds);
      return trialMails(email);
    };
    expect(await after(23 * DAY - 60)).toEqual([]);
    expect(await after(60)).toEqual([WEEK]);
    expect(await after(3 * DAY)).toEqual([WEEK]);
    expect(await after(3 * DAY)).toEqual([LAST_DAY, WEEK]);
    for (const seconds of [60, DAY, 30 * DAY]) {
      expect(await after(seconds)).toEqual([LAST_DAY, WEEK]);
    }
  });

  test('a portal that stood still does not say "7 days" on the last one, and nothing afterwards', async () => {
    const [late, gone] = [await onTrial(), await onTrial()];
    await testApp.db
      .updateTable('users')
      .set({ trial_ends_at: new Date(testApp.clock.now().getTime() + 3600_000) })
      .where('email', '=', late)
      .execute();
    await testApp.db
      .updateTable('users')
      .set({ trial_ends_at: testApp.clock.now() })
      .where('email', '=', gone)
      .execute();
    expect(await trialMails(late)).toEqual([LAST_DAY]);
    expect(await trialMails(gone)).toEqual([]);
  });

  test('who is no longer there is not written to', async () => {
    const email = await onTrial();
    await testApp.db
      .updateTable('users')
      .set({ status: 'inactive' })
      .where('email', '=', email)
      .execute();
    testApp.clock.advance(24 * DAY);
    expect(await trialMails(email)).toEqual([]);
  });

  test('begins for a member as well, when the academy is added to the account', async () => {
    const email = demoEmail('special');
    testApp.clock.pin(testApp.clock.now());
    const password = DEMO_PASSWORD;
    await testApp.visitor().signUp({ emailAddress: email, subtenantId: 3, password });
    const user = await testApp.db
      .selectFrom('users')
      .select(['id', 'trial_ends_at'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const end = testApp.clock.now().getTime() + 30 * DAY * 1000;
    expect(user.trial_ends_at?.getTime()).toBe(end);
    expect(await claimsOf(testApp.db, user.id)).toMatchObject({
      trial_ends_at: Math.floor(end / 1000),
    });
  });

  test('is a claim of nobody else', async () => {
    const { id } = await testApp.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', demoEmail('member'))
      .executeTakeFirstOrThrow();
    expect(await claimsOf(testApp.db, id)).not.toHaveProperty('trial_ends_at');
  });
});

test('[R45] two instances at once: each person is told once', async () => {
  const context = await createTestContext();
  const { database, clock, config } = context;
  const other = await database.second();
  try {
    const now = clock.now();
    await context.db
      .insertInto('subtenants')
      .values({ id: 3, name: 'Academy', logo_path: '/l.svg', accent: null })
      .execute();
    await context.db
      .insertInto('users')
      .values(
        Array.from({ length: 250 }, (_, index) => ({
          id: 1000 + index,
          email: `p${index}@example.test`,
          email_canonical: `p${index}@example.test`,
          first_name: 'P',
          last_name: 'P',
          dial_code: '+1',
          mobile: '5550142290',
          password_hash: null,
          status: 'active' as const,
          sign_up_platform: 1,
          subtenant_id: 3,
          created_at: now,
          activated_at: now,
          trial_ends_at: new Date(now.getTime() + 5 * DAY * 1000),
        })),
      )
      .execute();
    const told: number[] = [];
    const secretBox = createSecretBox(config.secret);
    const instance = (db: typeof context.db) => () =>
      sendTrialReminders(
        {
          ...context,
          db,
          outbox: createOutbox({ db, clock, secretBox, onError: () => undefined }),
        },
        async (_db, { id }) => void told.push(id),
      );
    const [one, two] = [instance(context.db), instance(other.db)];
    await Promise.all([one(), two(), one(), two()]);
    // What another instance had locked it has told itself, or tells the next time.
    await one();
    expect(told.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 250 }, (_, index) => 1000 + index),
    );
  } finally {
    await other.close();
    await database.close();
  }
});
