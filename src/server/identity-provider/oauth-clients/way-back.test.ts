/** A forgotten password on the way into an application: the new one leads back there, and nowhere else (decision 127). */

import { describe, expect, test } from 'vitest';
import { clientEntry, createRelyingParty, follow } from '../../testing/relying-party.ts';
import { createTestApp, type Visitor } from '../../testing/test-app.ts';
import { sentBack } from '../../testing/reset.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const INITIATE = 'https://garden.example.org/sign-in?from=portal';
const NEW = 'Fresh-Paint-8';

let count = 0;

const testApp = closeAtEnd(
  await createTestApp({
    clients: [
      clientEntry({ initiateLoginUri: INITIATE }),
      clientEntry({
        id: 'page-app',
        name: 'Page App',
        webOrigins: ['https://page.example'],
        auth: { method: 'none' },
      }),
    ],
    limitFactor: 100,
  }),
);
const garden = await createRelyingParty(testApp.url);

async function member(): Promise<string> {
  const emailAddress = `way-back-${(count += 1)}@example.test`;
  await testApp.visitor().register({ emailAddress });
  return emailAddress;
}

/** An application sends somebody here, who then forgets the password. */
async function sentHere(visitor: Visitor) {
  const begun = await garden.begin();
  const { url, request } = await follow(visitor, begun.url, testApp.url);
  expect(url.pathname).toBe('/account/AppSignIn');
  return { begun, request };
}

const ask = (visitor: Visitor, email: string, request?: string) =>
  visitor.ok('forgotPassword', {
    ...(request !== undefined && { query: { request } }),
    body: { userName: email, emailID: email, requestedIP: '::1' },
  });

async function keyFor(email: string): Promise<string> {
  await testApp.app.outbox.settle();
  const links = (await testApp.inbox(email)).map(({ link }) => new URL(link ?? 'x:'));
  return links.map((url) => url.searchParams.get('resetLinkKey')).find(Boolean) ?? '';
}

/** Sets the new password by the mailed link. @returns what the page after it says */
async function reset(visitor: Visitor, email: string) {
  const user = await visitor.ok('getResetUser', {
    params: { resetKey: await keyFor(email), ip: '::1' },
  });
  if (!user) throw new Error('The link is dead');
  const { request } = user;
  await visitor.ok('updatePassword', { body: { ...sentBack(user), password: NEW } });
  if (request === null) return { request, client: null };
  return { request, client: (await visitor.ok('getVisit', { query: { request } })).client };
}

describe('[IDP-23] after a new password', () => {
  test('the same browser goes on with the very request, to the application', async () => {
    const [visitor, email] = [testApp.visitor(), await member()];
    const { begun, request } = await sentHere(visitor);
    await ask(visitor, email, request);
    const done = await reset(visitor, email);
    expect(done).toMatchObject({ request, client: { step: 'signIn', clientName: 'Garden Club' } });
    await visitor.signIn(email, NEW);
    const { url } = await visitor.ok('continueInteraction', { body: { request } });
    const place = await follow(visitor, url, testApp.url);
    const allowed = await visitor.ok('allowInteraction', { body: { request: place.request } });
    const back = await follow(visitor, allowed.url, testApp.url);
    expect((await garden.redeem(begun, back.url)).claims()?.email).toBe(email);
  });

  test(
    "another browser gets the application's own sign-in, and nothing of the request",
    { tags: 'long' },
    async () => {
      const [visitor, email, other] = [testApp.visitor(), await member(), testApp.visitor()];
      const { request } = await sentHere(visitor);
      await ask(visitor, email, request);
      const done = await reset(other, email);
      const startUrl = `${INITIATE}&iss=${encodeURIComponent(`${testApp.url}/idp/`)}`;
      expect(done.client).toMatchObject({ step: 'over', clientName: 'Garden Club', startUrl });
      expect(done.request).not.toBe(request);
      // The handle of the one is nothing to the other, and resumes nothing.
      expect((await other.ok('getVisit', { query: { request } })).client).toBeNull();
      const handle = done.request ?? '';
      expect((await visitor.ok('getVisit', { query: { request: handle } })).client).toBeNull();
      await other.signIn(email, NEW);
      const answer = await other.call('continueInteraction', { body: { request: handle } });
      expect(answer.errorFlag).toBe('REQUEST_OVER');
    },
  );

  test('a request that took too long begins anew there', { tags: 'long' }, async () => {
    const [visitor, email] = [testApp.visitor(), await member()];
    const { request } = await sentHere(visitor);
    testApp.clock.advance(29 * 60);
    await ask(visitor, email, request);
    testApp.clock.advance(20 * 60);
    expect((await reset(visitor, email)).client?.step).toBe('over');
  });

  test("the request of another visit names nobody's application", { tags: 'long' }, async () => {
    const [visitor, email] = [testApp.visitor(), await member()];
    const { request } = await sentHere(testApp.visitor());
    await ask(visitor, email, request);
    expect(await reset(visitor, email)).toEqual({ request: null, client: null });
  });

  test('asked for at the portal, it leads nowhere else', { tags: 'long' }, async () => {
    const [visitor, email] = [testApp.visitor(), await member()];
    await ask(visitor, email);
    expect(await reset(visitor, email)).toEqual({ request: null, client: null });
  });

  test(
    "Auth0's change_password leads back to the client that asked",
    { tags: 'long' },
    async () => {
      const email = await member();
      const answer = await testApp
        .visitor()
        .post(
          '/idp/dbconnections/change_password',
          { client_id: 'page-app', connection: 'Username-Password-Authentication', email },
          { origin: 'https://page.example', 'sec-fetch-site': 'cross-site' },
        );
      expect(answer.status).toBe(200);
      const { client } = await reset(testApp.visitor(), email);
      // It has told no address where its sign-in begins: the page says its name alone.
      expect(client).toMatchObject({ step: 'over', clientName: 'Page App', startUrl: null });
    },
  );
});
