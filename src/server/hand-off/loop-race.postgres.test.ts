import { expect, test } from 'vitest';
import { whileLocked } from '../testing/row-lock.ts';
import { createTestApp } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());

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
