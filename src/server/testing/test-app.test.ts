import { expect, test } from 'vitest';
import { createTestApp } from './test-app.ts';
import { closeAtEnd } from './close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());

test('a visitor signs up and signs in, the whole way', async () => {
  const visitor = testApp.visitor();
  const emailAddress = 'whole@example.test';
  const { userId } = await visitor.register({ emailAddress });
  const login = await visitor.signIn(emailAddress, 'Sunny-Porch-7');
  expect(login).toMatchObject({ loggedInUserId: userId, memberName: 'Rosa Lind', roleId: 1 });
  expect((await visitor.signIn('member')).memberName).toBe('Margaret Okafor');
});
