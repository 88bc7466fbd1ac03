/** [R27] Everything that is no living refresh token of this client gives nothing, and never says why. */

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createWire, SPA, SPA_ORIGIN, type Tokens, wireClients } from '../../testing/wire.ts';
import { clientEntry } from '../../testing/relying-party.ts';
import { resetPassword } from '../../testing/reset.ts';
import { createTestApp, PASSWORD, type Visitor } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const OTHER = 'other-spa';

const testApp = closeAtEnd(
  await createTestApp((url) => {
    const settings = wireClients(url);
    const other = clientEntry({
      id: OTHER,
      firstParty: true,
      redirectUris: [`${SPA_ORIGIN}/callback`],
      webOrigins: [SPA_ORIGIN],
      scopes: ['openid', 'profile', 'email', 'offline_access'],
      grants: ['authorization_code', 'refresh_token', 'passwordless'],
      auth: { method: 'none' },
    });
    return { ...settings, clients: [...(settings.clients ?? []), other], limitFactor: 50 };
  }),
);
const wire = createWire(testApp);

let count = 0;
async function person() {
  const email = `refresh-${(count += 1)}@example.test`;
  const first = testApp.visitor();
  const { userId } = await first.register({ emailAddress: email });
  const visitor = testApp.visitor();
  await visitor.signIn(email, PASSWORD);
  return { email, userId, visitor, tokens: await wire.tokens(visitor) };
}

const refresh = (token: string | undefined, client = SPA) =>
  wire.token({ grant_type: 'refresh_token', client_id: client, refresh_token: token });

const REFUSED = {
  status: 400,
  error: 'invalid_grant',
  // By these words of Auth0's the SDK falls back to a frame.
  error_description: 'Unknown or invalid refresh token.',
};

/** At the token call and at userinfo. */
const OVER = new Set(['invalid_grant', 401]);

async function userInfo({ access_token: token }: Tokens): Promise<number> {
  const response = await fetch(`${wire.issuer}userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return response.status;
}

describe('values that are none', () => {
  test('garbage, altered ones, and other things of the same person', async () => {
    const { visitor, tokens } = await person();
    const own = tokens.refresh_token ?? '';
    const { answer } = await wire.silently(visitor);
    const rows = await testApp.db
      .selectFrom('hosted_payloads')
      .select(['id', 'grant_id', 'uid'])
      .execute();
    const stored = rows.flatMap(({ id, grant_id: grant, uid }) => [id, grant ?? '', uid ?? '']);
    const values = [
      'made-up',
      '.',
      '__proto__',
      "' or 1=1 --",
      'x'.repeat(5000),
      own.slice(0, -1),
      own.slice(1),
      `${own}A`,
      `${own} `,
      own.toUpperCase(),
      [...own].toReversed().join(''),
      tokens.access_token,
      tokens.id_token ?? '',
      answer.code ?? '',
      // The values that a thief of the database would read.
      ...new Set(stored.filter(Boolean)),
    ];
    expect(values.length).toBeGreaterThan(20);
    for (const value of values) expect([value, await refresh(value)]).toEqual([value, REFUSED]);
    expect((await refresh(own)).status).toBe(200);
  });

  test('none at all, and two at once', async () => {
    const { tokens } = await person();
    expect(await refresh(undefined)).toMatchObject({ status: 400, error: 'invalid_request' });
    const own = tokens.refresh_token ?? '';
    const body = `grant_type=refresh_token&client_id=${SPA}&refresh_token=${own}&refresh_token=x`;
    const response = await fetch(`${wire.issuer}oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
    expect(response.status).toBe(400);
    expect((await refresh(own)).status).toBe(200);
  });

  test("another client's, though both may refresh, and though the same person uses both", async () => {
    const { visitor, tokens } = await person();
    const others = await wire.tokens(visitor, { client_id: OTHER });
    expect(await refresh(tokens.refresh_token, OTHER)).toEqual(REFUSED);
    expect(await refresh(others.refresh_token, SPA)).toEqual(REFUSED);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
    expect((await refresh(others.refresh_token, OTHER)).status).toBe(200);
  });

  test('at a client that may not refresh, and at one that is not here', async () => {
    const { tokens } = await person();
    expect(await refresh(tokens.refresh_token, 'plain')).toMatchObject({
      error: 'unauthorized_client',
    });
    expect(await refresh(tokens.refresh_token, 'nobody')).toMatchObject({
      status: 401,
      error: 'invalid_client',
    });
  });
});

describe('families that have ended', () => {
  /** A token, its successor and the successor's own; the first two are used. */
  async function family(visitor: Visitor) {
    const first = await wire.tokens(visitor);
    const second = await refresh(first.refresh_token);
    const third = await refresh(second.refresh_token);
    expect(third.status).toBe(200);
    return [first, second, third];
  }

  /** The tokens of its members open nothing any more. */
  async function opens(members: readonly Tokens[]) {
    const answers = [];
    for (const member of members) {
      const { status, error } = await refresh(member.refresh_token);
      answers.push(status === 400 ? error : status, await userInfo(member));
    }
    return new Set(answers);
  }

  test('by time: half an hour unused, by the clock of the machine', async () => {
    const { tokens } = await person();
    await sql`UPDATE hosted_payloads SET payload = jsonb_set(payload, '{exp}', to_jsonb(${
      Math.floor(Date.now() / 1000) - 1
    }::int)) WHERE model = 'RefreshToken'`.execute(testApp.db);
    expect(await refresh(tokens.refresh_token)).toEqual(REFUSED);
  });

  test('by the second use of an old one', async () => {
    const { visitor } = await person();
    const members = await family(visitor);
    await sql`UPDATE hosted_payloads SET consumed_at = consumed_at - interval '4 seconds'
      WHERE model = 'RefreshToken' AND consumed_at IS NOT NULL`.execute(testApp.db);
    expect(await refresh(members[0]?.refresh_token)).toEqual(REFUSED);
    expect(await opens(members)).toEqual(OVER);
  });

  test('by revocation of the last one', async () => {
    const { visitor } = await person();
    const members = await family(visitor);
    const token = members[2]?.refresh_token;
    await wire.post('oauth/revoke', { client_id: SPA, token });
    expect(await opens(members)).toEqual(OVER);
  });

  test('by the second use of the code that it came from', async () => {
    const { visitor } = await person();
    const { answer, verifier } = await wire.silently(visitor);
    const redeem = () =>
      wire.token({
        grant_type: 'authorization_code',
        client_id: SPA,
        code: answer.code,
        code_verifier: verifier,
        redirect_uri: `${SPA_ORIGIN}/callback`,
      });
    const first = await redeem();
    const second = await refresh(first.refresh_token);
    expect((await redeem()).status).toBe(400);
    expect(await opens([first, second])).toEqual(OVER);
  });

  test('by sign-out, in the portal or at the hosted login', async () => {
    const ways: ((visitor: Visitor) => Promise<unknown>)[] = [
      (visitor) =>
        visitor.ok('logOut', {
          params: { userId: '1', appState: 'a', loggedInId: 'b', roleId: '1' },
        }),
      (visitor) =>
        visitor.request('/idp/v2/logout?client_id=spa&returnTo=https://app.example/', {
          headers: { 'sec-fetch-dest': 'document' },
        }),
    ];
    for (const signOut of ways) {
      const { visitor } = await person();
      const members = await family(visitor);
      await signOut(visitor);
      expect(await opens(members)).toEqual(OVER);
    }
  });

  test('by signing in anew in the same browser, which ends the session of before', async () => {
    const { email, visitor } = await person();
    const members = await family(visitor);
    await visitor.signIn(email, PASSWORD);
    expect(await opens(members)).toEqual(OVER);
    expect((await wire.tokens(visitor)).status).toBe(200);
  });

  test('by a new password, on every device', async () => {
    const { email, visitor } = await person();
    const other = testApp.visitor();
    await other.signIn(email, PASSWORD);
    const members = [...(await family(visitor)), ...(await family(other))];
    await resetPassword(testApp, email, 'Evening-Light-8');
    expect(await opens(members)).toEqual(OVER);
  });
});
