/** [R22] [D28] An account that an operator ends: from that moment nothing that it had opened opens anything. */

import { describe, expect, test } from 'vitest';
import { answersOf, NOTHING, openEverything, userInfo } from '../../testing/everything-open.ts';
import { clientEntry, createRelyingParty } from '../../testing/relying-party.ts';
import { createWire, wireClients } from '../../testing/wire.ts';
import { createTestApp, PASSWORD } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const testApp = closeAtEnd(
  await createTestApp((url) => {
    const settings = wireClients(url);
    return {
      ...settings,
      clients: [...(settings.clients ?? []), clientEntry()],
      isPasswordGrantOn: true,
      limitFactor: 50,
    };
  }),
);
const wire = createWire(testApp);
const garden = await createRelyingParty(testApp.url);
const machine = (await wire.machine()).access_token;

const deps = () => ({ testApp, wire, garden });

const byProgram = (isBlocked: boolean) => (id: number) =>
  wire.manage(machine, 'PATCH', `users/${id}`, { blocked: isBlocked });
/** Changes the row alone, as by SQL; nothing is notified. */
const byHand = (status: 'active' | 'inactive') => (id: number) =>
  testApp.db.updateTable('users').set({ status }).where('id', '=', id).execute();

const WAYS = [
  ['by a program', byProgram(true), byProgram(false)],
  ['in the database', byHand('inactive'), byHand('active')],
] as const;

describe.each(WAYS)('%s', (name, end, begin) => {
  const tags = name === 'by a program' ? [] : ['long'];
  test('all of it was open, and nothing is', { tags }, async () => {
    const open = await openEverything(deps());
    expect(await userInfo(wire, open.third.access_token)).toBe(200);
    expect(await userInfo(wire, open.api.access_token)).toBe(200);
    expect(open.waiting.url.pathname).toBe('/account/Consent');
    expect(open.code.answer.code).toBeTruthy();
    expect(open.grant.mfa_token).toBeTruthy();
    await end(open.userId);
    expect(await answersOf(deps(), open)).toEqual(NOTHING);
    // The suspension shows only after the code (PRF-09).
    await expect(testApp.visitor().signIn(open.email, PASSWORD)).rejects.toThrow(
      'ACCOUNT_SUSPENDED',
    );
  });

  test('somebody else goes on', { tags: 'long' }, async () => {
    const [ended, other] = [await openEverything(deps()), await openEverything(deps())];
    await end(ended.userId);
    expect(await userInfo(wire, other.third.access_token)).toBe(200);
    const { access_token: token } = other.self;
    expect((await wire.manage(token, 'GET', `users/${other.userId}`)).status).toBe(200);
    expect((await wire.silently(other.visitor)).answer.code).toBeTruthy();
  });

  test('begun again, it signs in anew', { tags: 'long' }, async () => {
    const open = await openEverything(deps());
    await end(open.userId);
    await answersOf(deps(), open);
    await begin(open.userId);
    const visitor = testApp.visitor();
    await visitor.signIn(open.email, PASSWORD);
    expect((await wire.tokens(visitor)).status).toBe(200);
  });
});

test(
  'ended by a program, the old tokens stay dead when the account is begun again',
  { tags: 'long' },
  async () => {
    const open = await openEverything(deps());
    await byProgram(true)(open.userId);
    await byProgram(false)(open.userId);
    expect(await answersOf(deps(), open)).toEqual(NOTHING);
  },
);
