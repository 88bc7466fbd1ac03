import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from './test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

test('a visitor signs up and signs in, the whole way', async () => {
  const visitor = testApp.visitor();
  const emailAddress = 'whole@example.test';
  const { userId } = await visitor.register({ emailAddress });
  const login = await visitor.signIn(emailAddress, 'Sunny-Porch-7');
  expect(login).toMatchObject({ loggedInUserId: userId, memberName: 'Rosa Lind', roleId: 1 });
  expect((await visitor.signIn('member')).memberName).toBe('Margaret Okafor');
});
