/** Rights: every route of a server, called by every kind of caller, against the table of docs/access.md. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallName, routeOf, ROUTES } from '#contract/routes.ts';
import { screenAt } from '#domain/flow/screens.ts';
import { createSecretBox } from '../../crypto/secret-box.ts';
import { demoEmail } from '../../demo/seed.ts';
import { createWire, SPA, wireClients } from '../wire.ts';
import { writeStubBuild } from '../stub-build.ts';
import { activation, createTestApp, signUpBody, type TestApp } from '../test-app.ts';

const CALLERS = [
  'nobody',
  'visit',
  'signed up',
  'password',
  'another',
  'full',
  'module',
  'client',
  'management',
] as const;
type Caller = (typeof CALLERS)[number];
type Send = (path: string, init?: RequestInit) => Promise<Response>;
type Ask = { readonly path?: string; readonly body?: unknown; readonly form?: object };

const TABLE = readFileSync(new URL('../../../../docs/access.md', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  .filter(([, route = '']) => /^[A-Z]+ \//.test(route))
  .map(([, route = '', ...cells]) => [route, cells.slice(0, -1)] as const)
  // A single cell stands for every caller.
  .map(
    ([route, [first = '', ...rest]]) =>
      [route, rest.length > 0 ? [first, ...rest] : CALLERS.map(() => first)] as const,
  );

/** The account that all of them are after. */
const VICTIM = { email: demoEmail('member'), id: 4_000_000_001 };

let testApp: TestApp;
let senders: Record<Caller, Send>;
beforeAll(async () => {
  testApp = await createTestApp(
    (url) => ({
      ...wireClients(url),
      limitFactor: 1000,
      metricsToken: 'm'.repeat(32),
      deliveryReportsKey: 'd'.repeat(32),
    }),
    writeStubBuild(),
  );
  const wire = createWire(testApp);
  const [visit, signedUp, password, another, full] = Array.from({ length: 5 }, () =>
    testApp.visitor(),
  ) as [V, V, V, V, V];
  type V = ReturnType<TestApp['visitor']>;
  await visit.ok('getVisit', {});
  await signedUp.signUp({ emailAddress: 'pending@example.test' });
  await password.givePassword(VICTIM.email);
  await another.signIn('agent');
  await full.signIn('member');
  const person = testApp.visitor();
  await person.signIn('partner');
  const client = await wire.tokens(person, {
    audience: `${wire.issuer}api/v2/`,
    scope: 'openid read:current_user',
  });
  const management = await wire.machine();
  const secret = createSecretBox(testApp.config.secret).hmac('demo-module', 'member-intake');
  const plain =
    (authorization?: string): Send =>
    (path, init) =>
      fetch(new URL(path, testApp.url), {
        redirect: 'manual',
        ...init,
        headers: { ...init?.headers, ...(authorization && { authorization }) },
      });
  senders = {
    nobody: plain(),
    visit: visit.request,
    'signed up': signedUp.request,
    password: password.request,
    another: another.request,
    full: full.request,
    module: plain(`Basic ${btoa(`member-intake:${secret}`)}`),
    client: plain(`Bearer ${client.access_token}`),
    management: plain(`Bearer ${management.access_token}`),
  };
}, 60_000);
afterAll(() => testApp.close());

let count = 0;
const newEmail = () => `access-${(count += 1)}@example.test`;
const signUp = () => ({ body: signUpBody({ emailAddress: newEmail() }) });
const otp = { otpSendMedium: 4, otpType: 'TWOFACTORAUTHENTICATION' };
const link = { userRegstrtnId: 'x', userId: VICTIM.id, activationKey: 'x', signUpPlatform: 1 };
const survey = () => {
  const ids = { userId: String(VICTIM.id), responseId: '418', subjectId: '213' };
  return { body: [{ ...ids, userSubjectDataId: '0', subResponseData: '' }] };
};
const handle = { body: { request: 'made-up' } };
const key = { id: 'made-up', rawId: 'made-up', type: 'public-key' };
const signed = { authenticatorData: 'x', clientDataJSON: 'x', signature: 'x' };
const made = { attestationObject: 'x', clientDataJSON: 'x' };
const ofClient = { client_id: SPA };
const connection = 'Username-Password-Authentication';
const user = `/idp/api/v2/users/${VICTIM.id}`;

/** One for all callers: a refused caller does not use it up. */
let handOff: string | null = null;
async function issuedHandOff(): Promise<string> {
  testApp.clock.pin(new Date(testApp.clock.now()));
  const response = await senders.full(routeOf('issueHandoff').path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ choice: null, entrance: 'portal' }),
  });
  const { data } = (await response.json()) as { data: { url: string } };
  const token = new URL(data.url).searchParams.get('token') ?? '';
  return Buffer.from(token, 'base64').toString('utf8');
}

/** One well-formed request a route, about the victim wherever it can be. */
const ASKS: Record<string, () => Ask | Promise<Ask>> = {
  createUser: signUp,
  createAcademyUser: () => ({ body: signUpBody({ emailAddress: newEmail(), subtenantId: 3 }) }),
  saveSurvey: survey,
  updateSurvey: survey,
  sendOtp: () => ({ body: { createdBy: VICTIM.id, ...otp } }),
  resendOtp: () => ({ body: { id: 'made-up', createdBy: VICTIM.id, ...otp } }),
  verifyOtp: () => ({ body: { id: 'made-up', createdBy: VICTIM.id, otp: '123456' } }),
  extendOtp: () => ({ body: { id: 'made-up', createdBy: VICTIM.id } }),
  callOtp: () => ({ body: { id: 'made-up', createdBy: VICTIM.id } }),
  changeAddress: () => ({
    body: { id: 'made-up', createdBy: VICTIM.id, emailAddress: newEmail() },
  }),
  validateLink: () => ({ body: link }),
  confirmLink: () => ({ body: link }),
  rejectLink: () => ({ body: link }),
  createActivationLink: () => ({ body: { userRegstrtnId: null, userId: VICTIM.id } }),
  activateUser: () => ({ body: activation({ userId: VICTIM.id, id: 'made-up' }, 'made-up') }),
  forgotPassword: () => ({ body: { userName: VICTIM.email, emailID: VICTIM.email } }),
  updatePassword: () => ({
    body: {
      userName: VICTIM.email,
      userId: VICTIM.id,
      password: 'Quiet-Harbour-4',
      forgotPasswordId: 'made-up',
    },
  }),
  beginSession: () => ({ body: { entrance: 'portal', isFresh: false } }),
  recordLogin: () => ({ body: { authId: 'made-up', appState: 'made-up' } }),
  getSubtenant: () => ({ body: { subtenantId: 742 } }),
  getChallenge: () => ({ body: { purpose: 'signIn' } }),
  getLoginUser: () => ({ path: `${routeOf('getLoginUser').path}?emailId=${VICTIM.email}` }),
  continueInteraction: () => handle,
  allowInteraction: () => handle,
  denyInteraction: () => handle,
  revokeConsent: () => ({ body: { clientId: 'nobody' } }),
  keyRequest: () => ({ body: { use: 'stepUp' } }),
  signInWithKey: () => ({ body: { answer: { ...key, response: signed }, entrance: 'portal' } }),
  stepUpWithKey: () => ({ body: { answer: { ...key, response: signed } } }),
  keyCreation: () => ({ body: { isByItself: false } }),
  saveKey: () => ({ body: { answer: { ...key, response: made } } }),
  givePageCode: () => ({ body: { screen: 'signIn' } }),
  keyOffer: () => ({ body: { outcome: 'later' } }),
  // Another person's, so that each caller is answered alike.
  checkPassword: () => ({ body: { password: 'Wrong-Pass-1' } }),
  issueHandoff: () => ({ body: { choice: null, entrance: 'portal' } }),
  async redeemHandoff() {
    handOff ??= await issuedHandOff();
    return { body: { token: handOff } };
  },
  'POST /api/PolicyReports': () => ({ body: [] }),
  'POST /api/Messaging/Receipts': () => ({ body: {} }),
  'GET /account/request/:uid': () => ({ path: '/account/request/made-up' }),
  'GET /account/start/:clientId': () => ({ path: '/account/start/nobody' }),
  'GET /logos/:file': () => ({ path: '/logos/none.svg' }),
  'GET /idp/authorize': () => ({
    path: createWire(testApp).authorization({ scope: 'openid' }).url.slice(testApp.url.length),
  }),
  'GET /idp/passwordless/verify_redirect': () => ({
    path: `/idp/passwordless/verify_redirect?client_id=${SPA}&connection=email`,
  }),
  'POST /idp/co/authenticate': () => ({
    body: {
      ...ofClient,
      credential_type: 'http://auth0.com/oauth/grant-type/password-realm',
      realm: connection,
      username: VICTIM.email,
      password: 'Wrong-Pass-1',
    },
  }),
  'POST /idp/mfa/challenge': () => ({ body: { ...ofClient, mfa_token: 'made-up' } }),
  'POST /idp/passwordless/start': () => ({
    body: { ...ofClient, connection: 'email', send: 'code', email: VICTIM.email },
  }),
  'POST /idp/passwordless/verify': () => ({
    body: { ...ofClient, connection: 'email', email: VICTIM.email, verification_code: '123456' },
  }),
  'POST /idp/dbconnections/signup': () => ({
    body: {
      ...ofClient,
      connection,
      email: newEmail(),
      password: 'Quiet-Harbour-4',
      given_name: 'Ada',
      family_name: 'Winslow',
      phone_number: '+15550142290',
    },
  }),
  'POST /idp/dbconnections/change_password': () => ({
    body: { ...ofClient, connection, email: VICTIM.email },
  }),
  'POST /idp/oauth/token': () => ({
    form: { ...ofClient, grant_type: 'authorization_code', code: 'made-up', code_verifier: 'x' },
  }),
  'POST /account/organization/:id/invitation': () => ({ form: {} }),
  'POST /account/organization/:id/link': () => ({ form: {} }),
  'POST /account/organization/:id/start': () => ({ form: { entrance: 'portal' } }),
  'POST /idp/oauth/par': () => ({ form: { ...ofClient, response_type: 'code' } }),
  'POST /idp/oauth/introspect': () => ({ form: { ...ofClient, token: 'made-up' } }),
  'POST /idp/oauth/revoke': () => ({ form: { ...ofClient, token: 'made-up' } }),
  'POST /idp/authorize': () => ({ form: { client_id: 'spa' } }),
  'POST /idp/oidc/logout': () => ({ form: { client_id: 'spa' } }),
  'POST /idp/oidc/logout/confirm': () => ({ form: { xsrf: 'made-up', logout: 'yes' } }),
  'POST /idp/api/v2/users': () => ({ body: { connection, email: newEmail(), password: 'x' } }),
  'GET /idp/api/v2/users-by-email': () => ({
    path: `/idp/api/v2/users-by-email?email=${VICTIM.email}`,
  }),
  'GET /idp/api/v2/users/:id': () => ({ path: user }),
  'PATCH /idp/api/v2/users/:id': () => ({ path: user, body: { given_name: 'Margaret' } }),
  // An unknown id: the other callers need the account afterwards.
  'DELETE /idp/api/v2/users/:id': () => ({ path: '/idp/api/v2/users/4999999999' }),
  'GET /idp/api/v2/users/:id/logs': () => ({ path: `${user}/logs` }),
  'GET /idp/api/v2/users/:id/sessions': () => ({ path: `${user}/sessions` }),
  'DELETE /idp/api/v2/users/:id/sessions': () => ({
    path: '/idp/api/v2/users/4999999999/sessions',
  }),
  'GET /idp/api/v2/logs/:id': () => ({ path: '/idp/api/v2/logs/made-up' }),
  'GET /idp/api/v2/sessions/:id': () => ({ path: '/idp/api/v2/sessions/made-up' }),
  'DELETE /idp/api/v2/sessions/:id': () => ({ path: '/idp/api/v2/sessions/made-up' }),
  // An unknown id: a ticket ends the earlier links.
  'POST /idp/api/v2/tickets/password-change': () => ({ body: { user_id: '4999999999' } }),
  'POST /idp/api/v2/tickets/email-verification': () => ({ body: { user_id: '4999999999' } }),
  'POST /idp/api/v2/users/:id/identities': () => ({
    path: `${user}/identities`,
    body: { link_with: 'made-up' },
  }),
  'DELETE /idp/api/v2/users/:id/identities/auth0/:other': () => ({
    path: `${user}/identities/auth0/4000000002`,
  }),
};

const nameOf = (route: string) =>
  (Object.keys(ROUTES) as CallName[]).find((name) => ROUTES[name] === route) ?? route;

const PARAMS: Record<string, string> = {
  userId: String(VICTIM.id),
  email: VICTIM.email,
  resetKey: 'made-up',
  ip: '::1',
  appState: 'x',
  loggedInId: 'x',
  roleId: '1',
};

async function ask(route: string, caller: Caller): Promise<string> {
  const [method = '', path = ''] = route.split(' ');
  const asked = (await ASKS[nameOf(route)]?.()) ?? {};
  const { body, form } = asked;
  const at = asked.path ?? path.replace(/:(\w+)/g, (_, key: string) => PARAMS[key] ?? 'x');
  const response = await senders[caller](at, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    ...(form && {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(Object.entries(form)).toString(),
    }),
  });
  return classOf(response.status, await response.text());
}

/** What an answer says: a refusal by its code or status; `nothing` for one that was answered with nothing in it. */
function classOf(status: number, text: string): string {
  const [, silent] = /"error": ?"(\w+)"/.exec(text) ?? [];
  const answer = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : null;
  if (answer && 'succeeded' in answer) {
    if (!answer.succeeded) return String(answer.errorFlag);
    const { data } = answer;
    const isEmpty = Array.isArray(data) && data.length === 0;
    return data === null || data === false || data === 0 || isEmpty ? 'nothing' : 'yes';
  }
  if (status >= 400) return String(status);
  if (status >= 300) return 'away';
  return silent ?? 'yes';
}

/** All that a server answers, but files and the pages of a demo; in small letters, as it matches them. */
function registered(): readonly string[] {
  const path: string[] = [];
  const own = testApp.app.fastify
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] =
        /^(.*)[└├]── (\S+) \((.*)\)/.exec(line) ?? [];
      if (!part) return [];
      path.splice(indent.length / 4, path.length, part);
      const all = methods.split(', ').filter((method) => method !== 'HEAD');
      return all.map((method) => `${method} ${path.join('')}`);
    })
    // Fastify prints the end of `/path/*` without its slash.
    .map((route) => route.replace(/([^/])\*$/, '$1/*'))
    .filter((route) => !/^\w+ (?:\/(?:dev|demo|assets)\/|\/\*)/.test(route))
    // Forms of pages: what they may is told by the calls that they lead to.
    .filter((route) => screenAt(route.replace('POST ', '')) === null);
  return [...own, ...provided()];
}

/** The hosted login answers by itself whatever is under /idp: what its code names. */
function provided(): readonly string[] {
  const source = (name: string) =>
    readFileSync(new URL(`../../../openid-provider/${name}.ts`, import.meta.url), 'utf8');
  const mount = source('mount');
  const cases = [...mount.matchAll(/'([A-Z]+) (\/[^']+)'[(:]/g)].map(([, method, at]) => [
    method,
    at,
  ]);
  const calls = [...mount.matchAll(/^ {4}'(\/[^']+)': /gm)].map(([, at]) => ['POST', at]);
  const management = [
    ...source('auth0/management/management').matchAll(/^ {4}\['([A-Z]+)', '([^']+)', /gm),
  ].map(([, method, at]) => [method, `/api/v2/${at}`]);
  const [, block = ''] = /const ROUTES = \{(.*?)\};/s.exec(source('provider')) ?? [];
  const library = [...block.matchAll(/(\w+): '([^']+)'/g)].map(([, name = '', at]) => [
    ['authorization', 'userinfo', 'jwks', 'end_session'].includes(name) ? 'GET' : 'POST',
    at,
  ]);
  return [...cases, ...calls, ...management, ...library]
    .filter(([method]) => method !== 'OPTIONS')
    .map(([method, at]) => `${method} /idp${at}`);
}

test('[SEC-12] every route is in the table, and nothing else', () => {
  const named = TABLE.map(([route]) => route.toLowerCase());
  const all = new Set(registered().map((route) => route.toLowerCase()));
  expect([...all].toSorted()).toEqual(named.toSorted());
});

test.each(TABLE)('[SEC-12] [T12] %s', async (route, expected) => {
  const answers: string[] = [];
  for (const caller of CALLERS) answers.push(await ask(route, caller));
  expect(answers).toEqual(expected);
});
