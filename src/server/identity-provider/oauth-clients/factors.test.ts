/** [D20] Somebody who signed in by a code alone is nobody to an application without passwordless sign-in. */

import { expect, test } from 'vitest';
import { clientEntry, createRelyingParty, follow } from '../../testing/relying-party.ts';
import { createWire, SPA, SPA_ORIGIN, wireClients } from '../../testing/wire.ts';
import { createTestApp, PASSWORD, type Visitor } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const PASSWORDLESS = 'http://auth0.com/oauth/grant-type/passwordless/otp';

const testApp = closeAtEnd(
  await createTestApp((url) => {
    const settings = wireClients(url);
    return { ...settings, clients: [...(settings.clients ?? []), clientEntry()], limitFactor: 50 };
  }),
);
const wire = createWire(testApp);
const garden = await createRelyingParty(testApp.url);

let count = 0;
async function person(): Promise<string> {
  const emailAddress = `factor-${(count += 1)}@example.test`;
  await testApp.visitor().register({ emailAddress });
  return emailAddress;
}

/** The hosted session of this browser becomes one by a code alone. */
async function enterByCode(visitor: Visitor, email: string): Promise<void> {
  const headers = { ip: visitor.ip };
  const begun = { client_id: SPA, connection: 'email', send: 'code', email };
  await wire.post('passwordless/start', begun, headers);
  // The code of the sign-in before is in the same mailbox.
  await testApp.app.outbox.settle();
  const response = await visitor.post(
    '/idp/co/authenticate',
    {
      client_id: SPA,
      credential_type: PASSWORDLESS,
      realm: 'email',
      username: email,
      otp: await testApp.codeFor(email),
    },
    { origin: SPA_ORIGIN },
  );
  const { login_ticket: ticket = '' } = (await response.json()) as { login_ticket?: string };
  expect(ticket).not.toBe('');
  await visitor.request(wire.authorization({ login_ticket: ticket }).url);
  expect((await wire.silently(visitor)).answer.code).toBeTruthy();
}

test(
  'a request that waits is not answered by it, though the same person is signed in at the portal',
  { tags: 'long' },
  async () => {
    const email = await person();
    const visitor = testApp.visitor();
    const place = await follow(visitor, (await garden.begin()).url, testApp.url);
    expect(place.url.pathname).toBe('/account/AppSignIn');
    await visitor.signIn(email, PASSWORD);
    await enterByCode(visitor, email);
    const body = { request: place.request };
    expect((await visitor.call('continueInteraction', { body })).errorFlag).toBe('SIGN_IN_AGAIN');
    // With the password it goes on, where it was left.
    await visitor.signIn(email, PASSWORD);
    const { url } = await visitor.ok('continueInteraction', { body });
    expect((await follow(visitor, url, testApp.url)).url.pathname).toBe('/account/Consent');
  },
);

test('a consent that waits is not given by it', { tags: 'long' }, async () => {
  const email = await person();
  const visitor = testApp.visitor();
  await visitor.signIn(email, PASSWORD);
  const place = await follow(visitor, (await garden.begin()).url, testApp.url);
  expect(place.url.pathname).toBe('/account/Consent');
  await enterByCode(visitor, email);
  const body = { request: place.request };
  expect((await visitor.call('allowInteraction', { body })).errorFlag).toBe('SIGN_IN_AGAIN');
  expect(await testApp.db.selectFrom('consents').selectAll().execute()).toEqual([]);
});

test(
  'a session of another account in the same browser answers nothing, however it came there',
  { tags: 'long' },
  async () => {
    const [visitor, other] = [testApp.visitor(), testApp.visitor()];
    const place = await follow(visitor, (await garden.begin()).url, testApp.url);
    await visitor.signIn(await person(), PASSWORD);
    await other.signIn(await person(), PASSWORD);
    for (const [name, value] of other.cookies)
      if (name.startsWith('idp_session')) visitor.cookies.set(name, value);
    const body = { request: place.request };
    expect((await visitor.call('continueInteraction', { body })).errorFlag).toBe('SIGN_IN_AGAIN');
  },
);

test(
  'it is sent to the password, and silently told that nobody is signed in',
  { tags: 'long' },
  async () => {
    const email = await person();
    const visitor = testApp.visitor();
    await enterByCode(visitor, email);
    const asked = await follow(visitor, (await garden.begin()).url, testApp.url);
    expect(asked.url.pathname).toBe('/account/AppSignIn');
    const silent = await follow(visitor, (await garden.begin({ prompt: 'none' })).url, testApp.url);
    expect(silent.url.searchParams.get('error')).toBe('login_required');
  },
);
