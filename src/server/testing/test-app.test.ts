import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from './test-app.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('a visitor signs up and signs in, the whole way', async () => {
  const visitor = world.visitor();
  const emailAddress = 'whole@example.test';
  const { userId } = await visitor.register({ emailAddress });
  const login = await visitor.signIn(emailAddress, 'Sunny-Porch-7');
  expect(login).toMatchObject({ loggedInUserId: userId, memberName: 'Rosa Lind', roleId: 1 });
  expect((await visitor.signIn('member')).memberName).toBe('Margaret Okafor');
});
