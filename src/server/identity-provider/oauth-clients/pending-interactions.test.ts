/** What is decided before the hosted login is asked at all: a request that is over, foreign or nobody's never gets there. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { hashToken, randomToken } from '../../crypto/secret-box.ts';
import type { Visit } from '../../http/visit-cookie.ts';
import { clientEntry, SIGNED_OUT } from '../../testing/relying-party.ts';
import { createTestContext } from '../../testing/test-app.ts';
import { createConsents } from './consents.ts';
import type { InteractionOutcome, PendingInteraction } from '#openid-provider/options.ts';
import { createClientRegistry, fromSettings } from './registry.ts';
import { createPendingInteractions } from './pending-interactions.ts';

const WAITING: PendingInteraction = {
  uid: 'the-uid',
  clientId: 'garden-club',
  step: 'signIn',
  requiresReauthentication: false,
  passwordOf: null,
  scopes: ['openid'],
  firstPage: 'signIn',
  loginHint: null,
  locales: null,
  organization: null,
  secondsLeft: 1800,
};
const REQUEST = {} as IncomingMessage;
const USER_ID = 4_000_000_001;

let outcome: InteractionOutcome;
let userId: number | null;
const asked: unknown[] = [];

const context = await createTestContext();
afterAll(() => context.database.close());
beforeEach(() => {
  outcome = { kind: 'goOn', url: '/on' };
  userId = USER_ID;
  asked.length = 0;
});

function requests(entries = [clientEntry()]) {
  const clients = createClientRegistry(context.db, fromSettings(entries));
  return createPendingInteractions(context, {
    clients,
    consents: createConsents(context, clients),
    signIns: { signedInUser: async () => userId },
    issuer: 'http://localhost/idp/',
  });
}

function answered(visit: Visit, id: string, kind: 'signedIn' | 'allowed' | 'denied') {
  return requests().answer(
    { visit, id, kind, request: REQUEST },
    {
      answerInteraction: async (_request, uid, answer) => {
        asked.push([uid, answer]);
        return outcome;
      },
    },
  );
}

async function opened(pending: Partial<PendingInteraction> = {}) {
  const [id, now] = [randomUUID(), context.clock.now()];
  const row = { id, token_hash: hashToken(randomToken()), subtenant_id: null };
  await context.db
    .insertInto('visits')
    .values({ ...row, created_at: now, seen_at: now })
    .execute();
  const visit = { id, subtenantId: null };
  return { visit, request: await requests().open(visit, { ...WAITING, ...pending }, null) };
}

test('a request is answered once, by the one who is signed in', async () => {
  const { visit, request } = await opened();
  expect(await answered(visit, request, 'signedIn')).toBe('/on');
  expect(asked).toEqual([['the-uid', { kind: 'signedIn', accountId: String(USER_ID) }]]);
  for (const kind of ['signedIn', 'allowed', 'denied'] as const) {
    await expect(answered(visit, request, kind)).rejects.toMatchObject({
      code: 'REQUEST_OVER',
    });
  }
  expect(asked).toHaveLength(1);
});

describe('the hosted login is not asked', () => {
  test('for a request that is too late', async () => {
    const { visit, request } = await opened({ secondsLeft: 60 });
    context.clock.advance(60);
    const answer = answered(visit, request, 'denied');
    await expect(answer).rejects.toMatchObject({ code: 'REQUEST_OVER' });
    expect(asked).toEqual([]);
  });

  test("for another visit's, and for a made-up one", { tags: 'long' }, async () => {
    const [own, other] = [await opened(), await opened()];
    for (const id of [other.request, 'made-up', '']) {
      const answer = answered(own.visit, id, 'denied');
      await expect(answer).rejects.toMatchObject({ code: 'REQUEST_OVER' });
      expect(await requests().find(own.visit, id)).toBeNull();
    }
    expect(asked).toEqual([]);
  });

  test('when nobody is signed in, but for a no', async () => {
    userId = null;
    const { visit, request } = await opened();
    for (const kind of ['signedIn', 'allowed'] as const) {
      const answer = answered(visit, request, kind);
      await expect(answer).rejects.toMatchObject({ code: 'SIGN_IN_AGAIN' });
    }
    expect(asked).toEqual([]);
    expect(await answered(visit, request, 'denied')).toBe('/on');
    expect(asked).toEqual([['the-uid', { kind: 'denied' }]]);
  });
});

test('who has to sign in again can still answer; what is gone there is over here', async () => {
  const { visit, request } = await opened();
  outcome = { kind: 'signInAgain' };
  await expect(answered(visit, request, 'signedIn')).rejects.toMatchObject({
    code: 'SIGN_IN_AGAIN',
  });
  outcome = { kind: 'gone' };
  await expect(answered(visit, request, 'signedIn')).rejects.toMatchObject({
    code: 'REQUEST_OVER',
  });
  expect((await requests().find(visit, request))?.shown.step).toBe('over');
});

test('a client that was taken away meanwhile is not shown any more', async () => {
  const { visit, request } = await opened();
  expect((await requests().find(visit, request))?.shown.clientName).toBe('Garden Club');
  expect(await requests([]).find(visit, request)).toBeNull();
});

test('neither the uid nor the hint that is no address lies in the database', async () => {
  const { request } = await opened({ uid: 'a-uid-to-look-for', loginHint: 'not <an> address' });
  const row = await context.db
    .selectFrom('client_requests')
    .selectAll()
    .where('id', '=', request)
    .executeTakeFirst();
  expect(JSON.stringify(row)).not.toContain('a-uid-to-look-for');
  expect(row?.login_hint).toBeNull();
});

test('[IDP-23] the way back leads to an address that is registered now, and to no client that is gone', async () => {
  const { visit } = await opened();
  const from = { clientId: 'garden-club', request: null, resultUrl: SIGNED_OUT };
  const back = (await requests().wayBack(visit, from)) ?? '';
  const startUrlNow = async (entries?: Parameters<typeof requests>[0]) =>
    (await requests(entries).find(visit, back))?.shown.startUrl;
  expect(await startUrlNow()).toBe(SIGNED_OUT);
  expect(await startUrlNow([clientEntry({ postLogoutRedirectUris: [] })])).toBeNull();
  expect(await requests([]).wayBack(visit, from)).toBeNull();
});
