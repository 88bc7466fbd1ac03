/** Sessions of an operator who has set shorter times. */

import { describe, expect, test } from 'vitest';
import { createTestApp, type Visitor } from '../testing/test-app.ts';
import { timersWith } from '../testing/timers.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const MINUTE = 60;
const timers = timersWith({
  PORCHLIGHT_SESSION_IDLE_MINUTES: '10',
  PORCHLIGHT_STAFF_IDLE_MINUTES: '5',
  PORCHLIGHT_SESSION_HOURS: '1',
});

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50, timers }));

const visitOf = (visitor: Visitor) => visitor.ok('getVisit', {});
async function signedIn(name: string) {
  const visitor = testApp.visitor();
  await visitor.signIn(name);
  return visitor;
}

describe('[OPS-81] [R22] [SES-03] shorter times for sessions', () => {
  test.each([
    ['member', 10],
    ['staff', 5],
  ])(
    '%s: after %d minutes without a call it is over, and is told to have timed out',
    async (name, minutes) => {
      const visitor = await signedIn(name);
      // Seconds may pass between two calls.
      testApp.clock.advance(minutes * MINUTE - 30);
      expect(await visitOf(visitor)).toMatchObject({ hasTimedOut: false });
      expect((await visitOf(visitor)).login).not.toBeNull();
      testApp.clock.advance(30);
      expect(await visitOf(visitor)).toMatchObject({ hasTimedOut: true, login: null });
      expect(
        (await visitor.call('issueHandoff', { body: { choice: null, entrance: 'portal' } })).status,
      ).toBe(401);
    },
  );

  test('after an hour it is over, however busy', { tags: 'long' }, async () => {
    const visitor = await signedIn('member');
    for (let minutes = 5; minutes < 60; minutes += 5) {
      testApp.clock.advance(5 * MINUTE);
      await visitor.complete();
    }
    testApp.clock.advance(5 * MINUTE);
    expect((await visitOf(visitor)).login).toBeNull();
  });

  test(
    'the session of the hosted login lives no longer than that of the portal',
    { tags: 'long' },
    async () => {
      await signedIn('member');
      const { exp, iat } = await testApp.db
        .selectFrom('hosted_payloads')
        .select(['payload'])
        .where('model', '=', 'Session')
        .orderBy('expires_at', 'desc')
        .executeTakeFirstOrThrow()
        .then(({ payload }) => payload as { exp: number; iat: number });
      // The library reads the machine's clock twice.
      expect([10 * MINUTE, 10 * MINUTE + 1]).toContain(exp - iat);
    },
  );
});
