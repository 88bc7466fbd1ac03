import { expect, test } from 'vitest';
import { openDesk } from '../testing/desk.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { createTestAppWithPages } from '../testing/test-app.ts';

const testApp = closeAtEnd(
  await createTestAppWithPages({
    console: [{ subtenantId: 742, roleId: 4, role: 'operator' }],
  }),
);

test('[CON-07] a limit that refuses a verb is said in its form, which keeps how the caller is known', async () => {
  const operator = await openDesk(testApp, 'admin');
  const emailAddress = 'often@people.test';
  const { userId } = await testApp.visitor().register({ emailAddress });
  const path = `/console/people/${userId}/mailReset`;
  await operator.stepUp(path);
  const answers = [];
  for (let n = 0; n < 6; n += 1) answers.push(await operator.send(path));
  expect(answers.slice(0, 5).map(({ location }) => location)).toEqual(
    Array.from({ length: 5 }, () => `/console/people/${userId}?done=mailReset`),
  );
  expect(answers[5]?.page).toMatchObject({
    kind: 'verb',
    how: { value: 'called' },
    problem: expect.stringMatching(/\w/),
  });
});
