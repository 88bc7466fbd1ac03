/** [R40] [SRV-02] [SEC-06] A form that is sent again is answered as the first time, also past a limit. */

import { expect, test } from 'vitest';
import { RATE_LIMITS } from '../config/limits.ts';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import { createTestApp, type Visitor } from '../testing/test-app.ts';
import type { SignUpInput } from '../testing/visitor.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());

let count = 0;
const newEmail = () => `again-${(count += 1)}@example.test`;

/** Uses up what a network may sign up, and the threshold of the proof with it. */
async function useUp(ip: string): Promise<void> {
  for (let n = 0; n < RATE_LIMITS.signUpPerIp.max; n += 1) {
    const visitor = testApp.visitor(ip);
    await visitor.signUp({ emailAddress: newEmail() }, await visitor.prove('signUp'));
  }
}
const textOf = (answer: Awaited<ReturnType<Visitor['signUp']>>) =>
  JSON.stringify({ ...answer, headers: null });

test('the same form of the same visit: the same answer, and nothing more is done', async () => {
  const ip = '203.0.113.40';
  const visitor = testApp.visitor(ip);
  const input = { emailAddress: newEmail(), packageCode: null };
  const first = await visitor.signUp(input);
  expect(first.data?.userActivationMode).toBe('VERIFY_OTP');
  await useUp(ip);
  const again = await Promise.all(Array.from({ length: 10 }, () => visitor.signUp(input)));
  expect(new Set(again.map(textOf))).toEqual(new Set([textOf(first)]));
  const forms = testApp.db.selectFrom('registrations').selectAll();
  expect(await forms.where('email', '=', input.emailAddress).execute()).toHaveLength(1);
});

test.each<[string, SignUpInput]>([
  ['another password', { password: 'Lantern-Glow-8' }],
  ['another name', { firstName: 'Rosalind' }],
  ['another number', { mobileNumber: '5550142291' }],
])('%s is another form: limits stand before it', async (_, change) => {
  const ip = `203.0.113.${50 + count}`;
  const visitor = testApp.visitor(ip);
  const input = { emailAddress: newEmail() };
  await visitor.signUp(input);
  await useUp(ip);
  expect(await visitor.signUp({ ...input, ...change })).toMatchObject({
    errorFlag: 'CAPTCHA_NEEDED',
  });
  const answer = await visitor.signUp({ ...input, ...change }, await visitor.prove('signUp'));
  expect(answer).toMatchObject({ status: 429, errorFlag: 'TOO_MANY' });
});

test('the same form of another visit is none of its business', async () => {
  const ip = '203.0.113.41';
  const input = { emailAddress: newEmail() };
  await testApp.visitor(ip).signUp(input);
  await useUp(ip);
  expect(await testApp.visitor(ip).signUp(input)).toMatchObject({ errorFlag: 'CAPTCHA_NEEDED' });
});

test('a role that was added is said to be added', async () => {
  const ip = '203.0.113.42';
  const visitor = testApp.visitor(ip);
  const input = { emailAddress: demoEmail('member'), subtenantId: 3, password: DEMO_PASSWORD };
  const first = await visitor.signUp(input);
  expect(first.data?.userActivationMode).toBe('ROLE_MAPPED');
  await useUp(ip);
  expect(textOf(await visitor.signUp(input))).toBe(textOf(first));
});

test('a visit has so many retries, and then the limits of everybody', async () => {
  const ip = '203.0.113.43';
  const visitor = testApp.visitor(ip);
  const input = { emailAddress: newEmail() };
  await visitor.signUp(input);
  await useUp(ip);
  const flags = [];
  for (let n = 0; n < 51; n += 1) flags.push((await visitor.signUp(input)).errorFlag);
  expect(flags.filter((flag) => flag === null)).toHaveLength(50);
  expect(flags.at(-1)).toBe('CAPTCHA_NEEDED');
});
