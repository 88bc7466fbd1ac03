import { afterAll, beforeAll, expect, test } from 'vitest';
import { whileLocked } from '../testing/row-lock.ts';
import { createTestApp, type TestApp } from '../testing/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

test('[HND-04] hand-offs that wait for each other are three as well', async () => {
  const visitor = testApp.visitor();
  const { logUserLoginId: id } = await visitor.signIn('member');
  const issue = () => visitor.call('issueHandoff', { body: { choice: null, entrance: 'portal' } });
  const answers = await whileLocked(testApp.db, { table: 'sign_ins', id, waiting: 5 }, () =>
    Promise.all(Array.from({ length: 8 }, issue)),
  );
  expect(answers.filter(({ succeeded }) => succeeded)).toHaveLength(3);
  const refused = answers.filter(({ errorFlag }) => errorFlag === 'HANDOFF_LOOP');
  expect(refused).toHaveLength(5);
  const kept = await testApp.db
    .selectFrom('handoffs')
    .select('jti')
    .where('sign_in_id', '=', id)
    .execute();
  expect(kept).toHaveLength(3);
});
