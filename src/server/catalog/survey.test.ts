import { expect, test } from 'vitest';
import { createTestApp } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());

const HOUR = 60 * 60;

test('[L7] [API-01] a complete session reads and writes its own answers, long after the sign-up, and nobody else’s', async () => {
  const emailAddress = 'survey@example.test';
  const visitor = testApp.visitor();
  const { userId } = await visitor.register({ emailAddress });
  const answer = (responseId: string, id = userId) => ({
    userId: String(id),
    responseId,
    subjectId: '213',
    userSubjectDataId: '',
    subResponseData: '',
  });
  testApp.clock.advance(HOUR);
  const own = { params: { userId: String(userId) } };
  expect((await visitor.call('getOwnSurvey', own)).status).toBe(403);

  await visitor.signIn(emailAddress, 'Sunny-Porch-7');
  expect(await visitor.ok('updateSurvey', { body: [answer('412')] })).toBe(1);
  expect(await visitor.ok('getOwnSurvey', own)).toEqual([answer('412')]);

  const other = testApp.visitor();
  await other.signIn('member');
  expect((await other.call('getOwnSurvey', own)).status).toBe(403);
  expect((await other.call('updateSurvey', { body: [answer('413')] })).status).toBe(403);
  // Nor does a bearer without its visit.
  const thief = testApp.visitor();
  thief.state.token = visitor.state.token;
  expect((await thief.call('getOwnSurvey', own)).status).toBe(403);
});

test('[D13] [API-01] a form that waits for its code has its answers for the browser that filled it in alone', async () => {
  const emailAddress = 'survey-pending@example.test';
  const [visitor, second, passerBy] = [testApp.visitor(), testApp.visitor(), testApp.visitor()];
  const { data } = await visitor.signUp({ emailAddress });
  const userId = String(data?.userId);
  const body = [
    { userId, responseId: '418', subjectId: '213', userSubjectDataId: '', subResponseData: '' },
  ];
  const own = { params: { userId } };
  expect(await visitor.ok('saveSurvey', { body })).toBe(1);
  expect((await passerBy.call('saveSurvey', { body })).status).toBe(403);
  expect((await passerBy.call('getOwnSurvey', own)).status).toBe(403);
  // Another visitor's form for the same address does not see it either.
  await second.signUp({ emailAddress, firstName: 'Ann' });
  expect((await second.call('getOwnSurvey', own)).data ?? []).toEqual([]);
  expect(await visitor.ok('getOwnSurvey', own)).toHaveLength(1);
});
