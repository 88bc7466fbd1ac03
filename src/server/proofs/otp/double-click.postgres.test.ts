import { expect, test } from 'vitest';
import { demoEmail } from '../../demo/seed.ts';
import { whileLocked } from '../../testing/row-lock.ts';
import { createTestApp } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());

test('[R12] requests for the code of one sign-in that wait for each other send one', async () => {
  const visitor = testApp.visitor();
  const email = demoEmail('member');
  await visitor.givePassword(email);
  const user = await visitor.ok('getLoginUser', { query: { emailId: email } });
  const attempt = await testApp.db
    .selectFrom('sign_ins')
    .select('visit_id')
    .where('id', '=', user?.id ?? '')
    .executeTakeFirstOrThrow();
  const send = () => visitor.sendCode(user?.userId ?? 0, 'TWOFACTORAUTHENTICATION', 3);
  const answers = await whileLocked(
    testApp.db,
    { table: 'visits', id: attempt.visit_id, waiting: 3 },
    () => Promise.all(Array.from({ length: 5 }, send)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(new Set(answers.map(({ data }) => data?.id)).size).toBe(1);
  expect(await testApp.inbox(email)).toHaveLength(1);
  // What the others counted was given back: nobody has five codes less in this hour.
  const [counter] = await testApp.db
    .selectFrom('limits')
    .select('points')
    .where('key', 'like', 'codePerVisit:%')
    .execute();
  expect(counter?.points).toBe(1);
});
