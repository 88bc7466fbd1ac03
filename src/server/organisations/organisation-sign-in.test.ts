/** The sign-in at an organisation's provider: each check of its answer with the attack that it stops. */

import { decodeJwt } from 'jose';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adminContextOf } from '../testing/admin-context.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { makeKey } from '../testing/forged-tokens.ts';
import {
  comeBack,
  createOrganisationProvider,
  type Forged,
  ORGANISATION_SECRET,
  press,
  signInBy,
  signInThere,
} from '../testing/organisation-provider.ts';
import { createTestApp } from '../testing/test-app.ts';
import { addOrganisation, replaceOrganisation } from './organisation-operations.ts';
import { createUpstream } from './upstream.ts';
import { findOrganisation } from './organisation-store.ts';

const ID = 'rosewood-staff';
const EMAIL = 'staff@demo.porchlight.test';
const provider = closeAtEnd(await createOrganisationProvider());
const testApp = closeAtEnd(await createTestApp({ limitFactor: 100 }));
const context = () => adminContextOf(testApp);
const entry = {
  id: ID,
  subtenantId: 742,
  label: 'Rosewood',
  issuer: provider.issuer,
  clientId: 'porchlight',
  roles: [3],
  on: true,
};
let userId = 0;

/** What `set` changes, until the next test. */
const change = (values: object) => replaceOrganisation(context(), { ...entry, ...values });

async function link(email: string, subject: string): Promise<number> {
  const { db, clock } = testApp;
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const row = { issuer: provider.issuer, subject, organisation_id: ID, user_id: id };
  await db
    .insertInto('organisation_links')
    .values({ ...row, shown_name: subject, made_by: 'account', made_at: clock.now() })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .execute();
  return id;
}

beforeAll(async () => {
  await addOrganisation(context(), { ...entry, clientSecret: ORGANISATION_SECRET });
  userId = await link(EMAIL, 'person-1');
});
beforeEach(async () => {
  provider.forge({});
  provider.as('person-1');
  await change({});
});

const signIns = () =>
  testApp.db
    .selectFrom('sign_ins')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .execute();

async function enterCode(visitor: ReturnType<typeof testApp.visitor>, email = EMAIL) {
  const user = await visitor.ok('getLoginUser', { query: { emailId: email } });
  const sent = await visitor.sendCode(user?.userId ?? 0, 'TWOFACTORAUTHENTICATION');
  const otp = await testApp.codeFor(email);
  await visitor.ok('verifyOtp', {
    body: { id: sent.data?.id ?? '', createdBy: user?.userId ?? 0, otp },
  });
  return visitor.complete();
}

test('[ORG-05] [ORG-06] the button leads there and back to the code, and then all is as ever', async () => {
  const visitor = testApp.visitor();
  const there = await press(visitor, ID);
  const asked = new URL(there).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    client_id: 'porchlight',
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge_method: 'S256',
    redirect_uri: `${testApp.url}/account/organization/${ID}/back`,
  });
  expect(asked.get('prompt')).toBeNull();
  expect(await comeBack(visitor, await signInThere(there))).toBe('/account/Redirect');
  const [attempt] = await signIns();
  expect(attempt).toMatchObject({ stage: 'otp', amr: ['fed'], entrance: 'portal' });
  const login = await enterCode(visitor);
  expect(login.userRoles).toMatchObject([{ roleId: 3 }]);
  expect((await signIns())[0]?.amr).toEqual(['fed', 'otp']);
  await visitor.ok('logOut', {
    params: { userId, appState: 'x', loggedInId: 'x', roleId: 3 } as never,
  });
  expect(new URL(await press(visitor, ID)).searchParams.get('prompt')).toBe('login');
  const dump = await testApp.dump();
  for (const secret of [ORGANISATION_SECRET, asked.get('state') ?? '']) {
    expect(dump).not.toContain(secret);
  }
});

test('[ORG-06] the staff entrance, and a page to return to, stay', async () => {
  const fields = { entrance: 'legalStaff', next: 'myAccount' };
  expect(await signInBy(testApp.visitor(), ID, fields)).toBe(
    '/legal-staff/Redirect?next=myAccount',
  );
  expect((await signIns()).at(-1)?.entrance).toBe('legalStaff');
  const odd = { entrance: 'https://evil.example', next: '//evil.example' };
  expect(await signInBy(testApp.visitor(), ID, odd)).toBe('/account/Redirect');
});

describe('[ORG-05] an answer that is refused', () => {
  const now = () => Math.floor(Date.now() / 1000);
  test.each<[string, () => Forged | Promise<Forged>]>([
    ['another issuer', () => ({ claims: { iss: 'https://other.example' } })],
    ['another audience', () => ({ claims: { aud: 'other' } })],
    ['two audiences without azp', () => ({ claims: { aud: ['porchlight', 'other'] } })],
    ['azp of another client', () => ({ claims: { azp: 'other' } })],
    ['another nonce', () => ({ claims: { nonce: 'other' } })],
    ['no nonce', () => ({ claims: { nonce: undefined } })],
    ['expired', () => ({ claims: { iat: now() - 400, exp: now() - 100 } })],
    ['no expiry', () => ({ claims: { exp: undefined } })],
    ['older than 10 minutes', () => ({ claims: { iat: now() - 700 } })],
    ['of tomorrow', () => ({ claims: { iat: now() + 86_400, exp: now() + 90_000 } })],
    ['no subject', () => ({ claims: { sub: undefined } })],
    ['an empty subject', () => ({ claims: { sub: '' } })],
    ['a subject with a space', () => ({ claims: { sub: 'person 1' } })],
    ['a subject of 256 characters', () => ({ claims: { sub: 'p'.repeat(256) } })],
    ['not signed', () => ({ header: { alg: 'none' } })],
    [
      'signed with our secret',
      () => ({ header: { alg: 'HS256' }, key: new TextEncoder().encode(ORGANISATION_SECRET) }),
    ],
    ['signed by a stranger', async () => ({ key: await makeKey('RS256', 'k1') })],
    ['a logout token', () => ({ claims: { events: {} } })],
    ['an access token', () => ({ header: { typ: 'at+jwt' } })],
    ['iss of another provider', () => ({ query: { iss: 'https://other.example' } })],
    ['another state', () => ({ query: { state: 'other' } })],
    ['no state', () => ({ query: { state: null } })],
    ['no code', () => ({ query: { code: null } })],
    ['a code of another browser', () => ({ query: { code: 'other' } })],
    ['the person said no', () => ({ query: { code: null, error: 'access_denied' } })],
  ])('%s', async (_, forge) => {
    provider.forge(await forge());
    const visitor = testApp.visitor();
    expect(await signInBy(visitor, ID)).toContain('why=refused');
    expect((await visitor.ok('getVisit', { query: {} })).signIn).toBeNull();
  });

  test('without the `iss` that the provider announces', async () => {
    await testApp.db
      .updateTable('organisations')
      .set({ changed_at: new Date(1) })
      .execute();
    const metadata = { authorization_response_iss_parameter_supported: true };
    provider.forge({ metadata, query: { iss: null } });
    expect(await signInBy(testApp.visitor(), ID)).toContain('why=refused');
    provider.forge({ metadata });
    expect(await signInBy(testApp.visitor(), ID)).toBe('/account/Redirect');
  });

  test.each<[string, () => Forged]>([
    ['without a signature', () => ({ header: { alg: 'none' } })],
    [
      'signed with our secret',
      () => ({ header: { alg: 'HS256' }, key: new TextEncoder().encode(ORGANISATION_SECRET) }),
    ],
  ])('%s, although the provider announces it', async (_, forge) => {
    await testApp.db
      .updateTable('organisations')
      .set({ changed_at: new Date(3) })
      .execute();
    const metadata = { id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'] };
    provider.forge({ ...forge(), metadata });
    expect(await signInBy(testApp.visitor(), ID)).toContain('why=refused');
    provider.forge({ metadata });
    expect(await signInBy(testApp.visitor(), ID)).toBe('/account/Redirect');
  });

  test('`hd` that the entry demands', async () => {
    await change({ hostedDomain: 'rosewood.example' });
    expect(await signInBy(testApp.visitor(), ID)).toContain('why=refused');
    expect(provider.asked.at(-1)?.get('hd')).toBe('rosewood.example');
    provider.forge({ claims: { hd: 'other.example' } });
    expect(await signInBy(testApp.visitor(), ID)).toContain('why=refused');
    provider.forge({ claims: { hd: 'rosewood.example' } });
    expect(await signInBy(testApp.visitor(), ID)).toBe('/account/Redirect');
  });
});

describe('[ORG-06] an answer belongs to one visit and one organisation, once', () => {
  test('a second time, in another browser, and after ten minutes it is refused', async () => {
    const visitor = testApp.visitor();
    const answer = await signInThere(await press(visitor, ID));
    expect(await comeBack(testApp.visitor(), answer)).toContain('why=refused');
    const other = testApp.visitor();
    await other.begin(true);
    expect(await comeBack(other, answer)).toContain('why=refused');
    expect(await comeBack(visitor, answer)).toBe('/account/Redirect');
    expect(await comeBack(visitor, answer)).toContain('why=refused');
    const late = await signInThere(await press(visitor, ID));
    testApp.clock.advance(601);
    expect(await comeBack(visitor, late)).toContain('why=refused');
  });

  test('the answer of one organisation opens nothing at another', async () => {
    const second = closeAtEnd(await createOrganisationProvider());
    const other = { ...entry, id: 'other', issuer: second.issuer, label: 'Other' };
    await addOrganisation(context(), { ...other, clientSecret: ORGANISATION_SECRET });
    const visitor = testApp.visitor();
    const answer = await signInThere(await press(visitor, 'other'));
    expect(await comeBack(visitor, answer.replace('/other/', `/${ID}/`))).toContain('why=refused');
    // A subject of another issuer is another person, also where one provider serves two houses.
    expect(await signInBy(visitor, 'other')).toContain('why=unlinked');
    const harbor = { ...entry, id: 'harbor', subtenantId: 900, label: 'Harbor' };
    await addOrganisation(context(), { ...harbor, clientSecret: ORGANISATION_SECRET });
    expect(await signInBy(visitor, 'harbor')).toContain('why=unlinked');
  });

  test('ends the session of another person in the browser', async () => {
    const visitor = testApp.visitor();
    const member = await visitor.signIn('member');
    expect(await signInBy(visitor, ID)).toBe('/account/Redirect');
    const open = await testApp.db
      .selectFrom('sign_ins')
      .select('id')
      .where('user_id', '=', member.loggedInUserId)
      .where('ended_at', 'is', null)
      .execute();
    expect(open).toEqual([]);
  });

  test('[ORG-06] [ORG-08] the pages after it have the look of its house, without script too', async () => {
    const elsewhere = closeAtEnd(await createOrganisationProvider());
    const harbor = {
      ...entry,
      id: 'harbor-point',
      subtenantId: 900,
      issuer: elsewhere.issuer,
      roles: [6],
    };
    await addOrganisation(context(), { ...harbor, clientSecret: ORGANISATION_SECRET });
    const visitor = testApp.visitor();
    const unlinked = new URL(await signInBy(visitor, 'harbor-point'), testApp.url);
    expect(Object.fromEntries(unlinked.searchParams)).toEqual({
      of: 'harbor-point',
      why: 'unlinked',
      subtenantId: '900',
    });
    const { db, clock } = testApp;
    const { id } = await db
      .updateTable('users')
      .set({ subtenant_id: 900 })
      .where('email', '=', 'counter@demo.porchlight.test')
      .returning('id')
      .executeTakeFirstOrThrow();
    const row = { issuer: elsewhere.issuer, subject: 'person-1', organisation_id: 'harbor-point' };
    const made = { shown_name: 'person-1', made_by: 'account', made_at: clock.now() } as const;
    await db
      .insertInto('organisation_links')
      .values({ ...row, ...made, user_id: id })
      .execute();
    expect(await signInBy(visitor, 'harbor-point')).toBe('/account/Redirect?subtenantId=900');
  });

  test('no other site begins it', async () => {
    const visitor = testApp.visitor();
    const response = await visitor.request(`/account/organization/${ID}/start`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
      },
      body: '',
    });
    expect(response.status).toBe(403);
    expect((await visitor.request(`/account/organization/${ID}/start`)).status).toBe(405);
  });
});

describe('[ORG-07] who comes in', () => {
  test.each([
    ['a person without a link', 'nobody', 'why=unlinked'],
    ['the subject in other letters', 'Person-1', 'why=unlinked'],
  ])('%s: %s', async (_, subject, page) => {
    provider.as(subject);
    expect(await signInBy(testApp.visitor(), ID)).toContain(page);
  });

  test('an address over there means nothing', async () => {
    provider.as('nobody');
    provider.forge({ claims: { email: EMAIL, email_verified: true } });
    expect(await signInBy(testApp.visitor(), ID)).toContain('why=unlinked');
  });

  test('a role outside the entry, no role of it, or operator rights keep out, and end a session', async () => {
    const { db, config } = testApp;
    const visitor = testApp.visitor();
    await signInBy(visitor, ID);
    await enterCode(visitor);
    // Beside the store, which would end the sessions itself.
    const set = (values: { role_ids?: number[]; is_on?: boolean }) =>
      db.updateTable('organisations').set(values).where('id', '=', ID).execute();
    const isIn = async () => (await visitor.ok('getVisit', { query: {} })).login !== null;
    expect(await isIn()).toBe(true);

    await db.insertInto('user_roles').values({ user_id: userId, role_id: 6 }).execute();
    expect(await isIn()).toBe(false);
    expect(await signInBy(testApp.visitor(), ID)).toContain('why=elsewhere');
    await set({ role_ids: [3, 6] });
    expect(await isIn()).toBe(true);
    await db
      .deleteFrom('user_roles')
      .where('user_id', '=', userId)
      .where('role_id', '=', 6)
      .execute();

    await set({ role_ids: [6] });
    expect(await isIn()).toBe(false);
    await set({ role_ids: [3] });
    await db.deleteFrom('user_roles').where('user_id', '=', userId).execute();
    expect(await signInBy(testApp.visitor(), ID)).toContain('why=elsewhere');
    await db.insertInto('user_roles').values({ user_id: userId, role_id: 3 }).execute();
    const grants = config.console as unknown as object[];
    grants.push({ role: 'operator', accountId: userId });
    expect(await isIn()).toBe(false);
    expect(await signInBy(testApp.visitor(), ID)).toContain('why=elsewhere');
    grants.pop();
    expect(await isIn()).toBe(true);
    await db.updateTable('users').set({ subtenant_id: 900 }).where('id', '=', userId).execute();
    expect(await isIn()).toBe(false);
    await db.updateTable('users').set({ subtenant_id: 742 }).where('id', '=', userId).execute();
    await set({ is_on: false });
    expect(await isIn()).toBe(false);
    expect(await press(testApp.visitor(), ID)).toBe('/account/signin');
  });

  test('a link that has ended, and one that is off, keep out', async () => {
    const { db, clock } = testApp;
    const links = db.updateTable('organisation_links').where('user_id', '=', userId);
    await links.set({ off_at: clock.now() }).execute();
    expect(await signInBy(testApp.visitor(), ID)).toContain('why=elsewhere');
    await links.set({ off_at: null, ended_at: clock.now() }).execute();
    expect(await signInBy(testApp.visitor(), ID)).toContain('why=unlinked');
    await links.set({ ended_at: null }).execute();
  });

  test('a suspended person is told after the code, as after a password', async () => {
    const { db } = testApp;
    const users = db.updateTable('users').where('id', '=', userId);
    await users.set({ status: 'inactive' }).execute();
    const visitor = testApp.visitor();
    expect(await signInBy(visitor, ID)).toBe('/account/Redirect');
    const user = await visitor.ok('getLoginUser', { query: { emailId: EMAIL } });
    const { data } = await visitor.sendCode(user?.userId ?? 0, 'TWOFACTORAUTHENTICATION');
    const otp = await testApp.codeFor(EMAIL);
    const body = { id: data?.id ?? '', createdBy: userId, otp };
    expect((await visitor.call('verifyOtp', { body })).errorFlag).toBe('ACCOUNT_SUSPENDED');
    await change({ secondFactor: 'theirs' });
    expect(await signInBy(testApp.visitor(), ID)).toContain('why=suspended');
    // The page shows the same for an account that the directory switched off as for one that staff did.
    const links = db.updateTable('organisation_links').where('user_id', '=', userId);
    await links.set({ off_at: testApp.clock.now() }).execute();
    expect(await signInBy(testApp.visitor(), ID)).toContain('why=suspended');
    await links.set({ off_at: null }).execute();
    await users.set({ status: 'active' }).execute();
  });
});

describe('[ORG-06] their second step', () => {
  const now = () => Math.floor(Date.now() / 1000);
  test.each<[string, object, object, string]>([
    ['the operator’s word alone', {}, {}, 'verified'],
    ['an amr that is named', { amr: ['mfa'] }, { amr: ['pwd', 'mfa'] }, 'verified'],
    ['none of those', { amr: ['mfa'] }, { amr: ['pwd'] }, 'otp'],
    ['no amr at all', { amr: ['mfa'] }, {}, 'otp'],
    ['an acr that is named', { acr: ['high'] }, { acr: 'high' }, 'verified'],
    ['another acr', { acr: ['high'] }, { acr: 'low' }, 'otp'],
    ['a new auth_time', { maxAuthAge: 600 }, { auth_time: now() }, 'verified'],
    ['an old auth_time', { maxAuthAge: 600 }, { auth_time: now() - 900 }, 'otp'],
    ['no auth_time', { maxAuthAge: 600 }, {}, 'otp'],
  ])('%s', async (_, values, claims, stage) => {
    await change({ secondFactor: 'theirs', ...values });
    provider.forge({ claims: claims as Record<string, unknown> });
    const visitor = testApp.visitor();
    expect(await signInBy(visitor, ID)).toBe('/account/Redirect');
    expect((await visitor.ok('getVisit', { query: {} })).signIn?.stage).toBe(stage);
    const { maxAuthAge: age } = values as { readonly maxAuthAge?: number };
    expect(provider.asked.at(-1)?.get('max_age')).toBe(age === undefined ? null : String(age));
  });
});

test('[ORG-06] where their second step stands for our code, all is as ever without one', async () => {
  await change({ secondFactor: 'theirs' });
  const visitor = testApp.visitor();
  await signInBy(visitor, ID);
  expect((await visitor.complete()).loggedInUserId).toBe(userId);
  expect((await signIns()).at(-1)?.amr).toEqual(['fed']);
});

test('[ORG-08] a provider that does not answer has a page, and the log the cause', async () => {
  provider.forge({ tokenStatus: 503 });
  expect(await signInBy(testApp.visitor(), ID)).toContain('why=down');
  await testApp.db
    .updateTable('organisations')
    .set({ changed_at: new Date(2) })
    .execute();
  provider.forge({ isDown: true });
  expect(await press(testApp.visitor(), ID)).toContain('why=down');
  const event = await testApp.db
    .selectFrom('audit_events')
    .select(['outcome', 'reason', 'details'])
    .where('kind', '=', 'organisation.refused')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  expect(event).toMatchObject({ outcome: 'failure', reason: 'noAnswer' });
});

test('[ORG-10] the check tries discovery, keys and redirect address, and names the secret’s end', async () => {
  const { db, clock } = testApp;
  const upstream = createUpstream(context());
  const states = async () => {
    const organisation = await findOrganisation(db, ID);
    if (!organisation) throw new Error('gone');
    const found = await upstream.check(organisation, clock.now());
    return found.map(({ state, what }) => `${state}: ${what}`);
  };
  expect(await states()).toEqual([
    expect.stringMatching(/^ok: localhost:\d+ answers/),
    expect.stringMatching(/^ok: it knows the redirect address/),
  ]);
  await change({ clientId: 'other', secretEndsOn: clock.now().toISOString().slice(0, 10) });
  expect(await states()).toEqual([
    expect.stringMatching(/^warning: the client secret .* ends on/),
    expect.stringMatching(/^ok/),
    expect.stringMatching(/^fault: it refuses the redirect address/),
  ]);
  provider.forge({ metadata: { issuer: 'https://other.example' } });
  await change({ label: 'Rosewood 2' });
  expect((await states()).at(-1)).toContain('not that of one company');
  provider.forge({ isDown: true });
  expect((await states()).at(-1)).toContain('no answer');
});

test('[ORG-05] a wrong secret, and tokens that nobody sees', async () => {
  await change({ clientSecret: 'another secret' });
  expect(await signInBy(testApp.visitor(), ID)).toContain('why=refused');
  await change({ clientSecret: ORGANISATION_SECRET });
  const visitor = testApp.visitor();
  await signInBy(visitor, ID);
  expect(visitor.setCookies.join()).not.toContain('eyJ');
  expect(() => decodeJwt(visitor.setCookies.join())).toThrow('Invalid JWT');
});
