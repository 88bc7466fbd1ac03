import { CompactEncrypt, importJWK, type JWK, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Body } from '#contract/index.ts';
import { createAudit } from '../audit/audit.ts';
import { withinRequest } from '../audit/request-context.ts';
import { demoEmail } from '../demo/seed.ts';
import { createSecretBox, hashToken } from '../crypto/secret-box.ts';
import { createTestApp, createTestContext, type Visitor } from '../testing/test-app.ts';
import { createHandOff } from './hand-off.ts';
import { createHandOffKeys, type SigningKey } from './keys.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

let key: SigningKey;
const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));
beforeAll(async () => {
  const [first] = await createHandOffKeys(() => testApp.app.keys.current('handoff')).current();
  if (!first) throw new Error('No key');
  key = first;
});

type Choice = Body<'issueHandoff'>['choice'];
type Entrance = Body<'issueHandoff'>['entrance'];

const issue = (visitor: Visitor, choice: Choice = null, entrance: Entrance = 'portal') =>
  visitor.call('issueHandoff', { body: { choice, entrance } });
const role = (roleId: number): Choice => ({ kind: 'role', roleId });
const onApp = (roleId: number): Choice => ({ kind: 'signInOnApp', roleId });

const basic = (
  module: string,
  secret = createSecretBox(testApp.config.secret).hmac('demo-module', module),
) => `Basic ${Buffer.from(`${module}:${secret}`).toString('base64')}`;
/** A module's own server: no cookies, no origin. */
const redeem = (token: string, authorization: string) =>
  testApp
    .visitor()
    .call(
      'redeemHandoff',
      { body: { token } },
      { authorization, origin: '', 'sec-fetch-site': '' },
    );
const tokenOf = (url: string) =>
  Buffer.from(new URL(url).searchParams.get('token') ?? '', 'base64').toString('utf8');

/** Signed in, with a hand-off in hand. */
async function handedOff(name = 'member', choice: Choice = null) {
  const visitor = testApp.visitor();
  await visitor.signIn(name);
  const { data } = await issue(visitor, choice);
  if (!data) throw new Error('No hand-off');
  return { visitor, url: data.url, token: tokenOf(data.url), credentialFor: data.credentialFor };
}

async function follow(visitor: Visitor, url: string) {
  const received = await visitor.request(url);
  if (received.status !== 303) return { status: received.status, text: await received.text() };
  const location = received.headers.get('location') ?? '';
  const page = await visitor.request(location);
  return { status: page.status, text: await page.text(), location };
}

describe('[RED-06] [RED-08] [RED-10..13] where each demo account is handed to, and with what', () => {
  const INTAKE = 'Member Intake';
  const EVERYTHING =
    'Staff (3), Admin (4), Event Counter (6), Head of Household (9), Mobile Event Counter (16), Partner Admin (17), Special Programs (20)';
  /** Of each way to a module one; the others are in the long run. */
  const SHORT = ['member null', 'everything role'];
  // prettier-ignore
  const LANDINGS = [
    ['member', null, INTAKE, '/demo/member-intake/login', 1, 'Member (1)'],
    ['staff', onApp(3), INTAKE, '/demo/member-intake/login', 3, 'Staff (3)'],
    ['everything', role(20), 'Special Programs', '/demo/special', 20, EVERYTHING],
    ['top', null, INTAKE, '/demo/member-intake/login', 9, 'Head of Household (9)'],
    ['admin', null, 'Admin', '/demo/admin', 4, 'Admin (4)'],
    ['counter', null, 'Event Counter', '/demo/event-counter', 6, 'Event Counter (6)'],
    ['mobile-counter', null, 'Mobile Event Counter', '/demo/mobile-event-counter', 16, 'Mobile Event Counter (16)'],
    ['intake', null, 'Intake Entry Form', '/demo/intake-entry', 21, 'Intake Entry (21)'],
    ['agent', null, 'Agent', '/demo/agent', 5, 'Agent (5)'],
    ['partner', null, 'Partner Admin', '/demo/partner-admin/login', 17, 'Partner Admin (17)'],
    ['academy', null, 'Partner Admin', '/demo/partner-admin/login', 18, 'Academy Member (18)'],
    ['special', null, 'Special Programs', '/demo/special', 20, 'Special Programs (20)'],
    ['member-agent', null, INTAKE, '/demo/member-intake', 9, 'Agent (5), Head of Household (9)'],
    ['staff', role(3), INTAKE, '/demo/member-intake', 3, 'Staff (3)'],
    ['legal', role(13), INTAKE, '/demo/member-intake', 13, 'Legal Staff (13)'],
    ['multi', role(4), 'Admin', '/demo/admin', 4, 'Admin (4)'],
    ['multi', role(16), 'Mobile Event Counter', '/demo/mobile-event-counter', 16, 'Mobile Event Counter (16)'],
    ['everything', onApp(3), INTAKE, '/demo/member-intake/login', 3, EVERYTHING],
  ] as const;
  for (const [name, choice, module, location, roleId, roles] of LANDINGS) {
    const way = `${name} ${(choice as Choice)?.kind ?? 'null'}`;
    const tags = SHORT.includes(way) ? [] : ['long'];
    const chosen = JSON.stringify(choice);
    test(`${name} ${chosen}: ${module} at ${location} as role ${roleId}`, { tags }, async () => {
      const { visitor, url } = await handedOff(name, choice);
      const query = new URL(url).searchParams;
      expect(query.get('roleId')).toBe(String(roleId));
      const page = await follow(visitor, url);
      expect(page).toMatchObject({ status: 200, location });
      expect(page.text).toContain('You are in ');
      expect(page.text).toContain(`<h1>${module}</h1>`);
      expect(page.text).toContain(`<dt>Role here</dt><dd>${roleId}</dd>`);
      expect(page.text).toContain(`<dt>Roles passed on</dt><dd>${roles}</dd>`);
      expect(page.text).toContain('<dt>Signed in with</dt><dd>pwd and otp</dd>');
      expect(page.text).toContain(
        '<dt>Token</dt><dd>verified by the public keys, redeemed once</dd>',
      );
      // The sealed password is made in the browser alone.
      expect(page.text).toContain('<dt>Sealed credential</dt><dd>none</dd>');
    });
  }

  test(
    '[RED-09] the staff entrance takes staff to the staff module, and nobody else anywhere',
    { tags: 'long' },
    async () => {
      const staff = testApp.visitor();
      await staff.signIn('legal');
      const { data } = await issue(staff, null, 'legalStaff');
      expect((await follow(staff, data?.url ?? '')).location).toBe('/demo/member-intake');
      const member = testApp.visitor();
      await member.signIn('member');
      expect((await issue(member, null, 'legalStaff')).errorFlag).toBe('HANDOFF_REFUSED');
    },
  );

  test(
    '[RED-13] only the own role entry travels with 4, 11, 6, 16, 5, 17, 18',
    { tags: 'long' },
    async () => {
      const passed = async (choice: Choice) => {
        const { token } = await handedOff('everything', choice);
        const module = choice?.roleId === 4 ? 'admin' : 'special';
        return (await redeem(token, basic(module))).data?.userRoles.map((each) => each.roleId);
      };
      expect(await passed(role(4))).toEqual([4]);
      expect(await passed(role(20))).toEqual([3, 4, 6, 9, 16, 17, 20]);
    },
  );

  const REFUSED: readonly (readonly [name: string, choice: Choice])[] = [
    ['multi', role(3)],
    ['member', role(1)],
    ['multi', role(9)],
    ['multi', onApp(1)],
    ['multi', role(9999)],
    ['multi', null],
    ['everything', role(17)],
    ['staff', onApp(13)],
    ['excluded', null],
    ['excluded', role(2)],
  ];
  for (const [index, [name, choice]] of REFUSED.entries()) {
    const tags = index === 0 ? [] : ['long'];
    test(`${name} may not choose ${JSON.stringify(choice)}`, { tags }, async () => {
      const visitor = testApp.visitor();
      await visitor.signIn(name);
      expect(await issue(visitor, choice)).toMatchObject({
        data: null,
        errorFlag: 'HANDOFF_REFUSED',
      });
      expect(
        await testApp.db.selectFrom('handoffs').selectAll().where('role_id', '=', 9999).execute(),
      ).toEqual([]);
    });
  }
});

test('[OPS-86] N1: a module that is not set up says so, and leaves an event under its reference', async () => {
  const context = await createTestContext();
  const { db, clock } = testApp;
  const { id } = await testApp.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', demoEmail('member'))
    .executeTakeFirstOrThrow();
  const heard: object[] = [];
  const audit = createAudit({ db, clock, onEvent: (event) => heard.push(event) });
  const signedIn = { userId: id, subtenantId: 742, roles: [{ roleId: 1, roleKey: 'Member' }] };
  const handOff = createHandOff(
    { ...context, db, clock, audit },
    {
      keys: createHandOffKeys(() => testApp.app.keys.current('handoff')),
      modules: [],
      signIns: { signedInOf: () => signedIn as never, lockSignedIn: async () => null },
    },
  );
  const session = { userId: id, signInId: 'none', appState: 'x' } as never;
  const request = {
    requestId: 'ref-86',
    ip: '198.51.100.86',
    path: '/',
    subtenantId: 742,
  } as const;
  const unknown = {
    visitId: null,
    userId: null,
    refusal: null,
    fault: null,
    mistake: null,
    limit: null,
  };
  const refusal = await withinRequest({ ...request, ...unknown }, () =>
    handOff
      .issue(session, { choice: null, entrance: 'portal', closedModules: [], isAsked: false })
      .catch((error: unknown) => error),
  );
  expect(refusal).toMatchObject({
    code: 'MODULE_MISSING',
    status: 200,
    messages: [
      'The app for your role is not set up yet. Please call us, and read out this reference: ref-86',
    ],
  });
  const event = await db
    .selectFrom('audit_events')
    .selectAll()
    .where('request_id', '=', 'ref-86')
    .executeTakeFirstOrThrow();
  expect(event).toMatchObject({
    kind: 'handoff.moduleMissing',
    user_id: id,
    outcome: 'failure',
    details: { module: 'member-intake', roleId: 1 },
  });
  expect(heard).toMatchObject([{ kind: 'handoff.moduleMissing' }]);
  await context.database.close();
});

describe('[RED-12] the token', () => {
  test('is base64 of a JWT of its own type, for one module, one minute, one use, and no session', async () => {
    const { visitor, url, token } = await handedOff();
    expect(url.startsWith(`${testApp.url}/demo/member-intake/login?`)).toBe(true);
    const query = Object.fromEntries(new URL(url).searchParams);
    expect(Object.keys(query).toSorted()).toEqual([
      'appState',
      'loggenInId',
      'roleId',
      'token',
      'userId',
    ]);
    const [header, claims] = token
      .split('.')
      .slice(0, 2)
      .map(
        (part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>,
      );
    expect(header).toMatchObject({ alg: 'ES256', typ: 'handoff+jwt', kid: key.kid });
    expect(claims).toMatchObject({
      iss: testApp.url,
      aud: 'member-intake',
      sub: query.userId,
      roleId: 1,
      subtenantId: 742,
      amr: ['pwd', 'otp'],
      jti: expect.any(String),
    });
    expect(Number(claims?.exp) - Number(claims?.iat)).toBe(60);
    expect(url).not.toContain(visitor.state.token);
    visitor.state.token = token.replaceAll('.', '-').slice(0, 150);
    expect((await issue(visitor)).status).toBe(401);
  });

  test(
    '[LNG-10] tells the module the language of the person, and its page speaks it',
    { tags: 'long' },
    async () => {
      const { token } = await handedOff();
      expect((await redeem(token, basic('member-intake'))).data?.language).toBeNull();
      const email = demoEmail('member');
      const speak = (language: string | null) =>
        testApp.db.updateTable('users').set({ language }).where('email', '=', email).execute();
      await speak('es');
      const spanish = await handedOff();
      const page = await follow(spanish.visitor, spanish.url);
      expect(page.text).toContain('<html lang="es"');
      const { token: next } = await handedOff();
      expect((await redeem(next, basic('member-intake'))).data?.language).toBe('es');
      await speak(null);
    },
  );

  test('redeemed fifty times at once: once', async () => {
    const { token } = await handedOff();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => redeem(token, basic('member-intake'))),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(49);
    const won = answers.find((answer) => answer.succeeded);
    expect(won?.data).toMatchObject({
      userName: 'member@demo.porchlight.test',
      roleId: 1,
      subtenantId: 742,
    });
    const replays = await testApp.db
      .selectFrom('audit_events')
      .orderBy('id')
      .select('id')
      .where('kind', '=', 'handoff.replayed')
      .execute();
    expect(replays).toHaveLength(49);
  });

  test('a module refuses a link that was used before', { tags: 'long' }, async () => {
    const { visitor, url } = await handedOff();
    expect((await follow(visitor, url)).status).toBe(200);
    const again = await follow(testApp.visitor(), url);
    expect(again.status).toBe(403);
    expect(again.text).toContain('this link was used before');
  });

  test(
    'another module gets nothing for it, with its own secret or a wrong one',
    { tags: 'long' },
    async () => {
      const { token } = await handedOff();
      const refused = [
        await redeem(token, basic('admin')),
        await redeem(token, basic('member-intake', 'wrong')),
        await redeem(token, basic('member-intake', '')),
        await redeem(token, basic('nobody', '')),
        await redeem(token, 'Bearer x'),
        await redeem(token, ''),
      ];
      expect(refused.map((answer) => [answer.status, answer.errorFlag])).toEqual([
        [401, 'HANDOFF_INVALID'],
        ...Array<unknown>(5).fill([401, 'MODULE_UNKNOWN']),
      ]);
      expect(refused[0]?.messages).toEqual(['This token is for another module.']);
      expect(refused[1]?.headers.get('www-authenticate')).toBe('Basic realm="modules"');
      expect((await redeem(token, basic('member-intake'))).status).toBe(200);
    },
  );

  test(
    'what a developer does wrong is told: a token in base64, a late one',
    { tags: 'long' },
    async () => {
      const { token } = await handedOff();
      const authorization = basic('member-intake');
      expect((await redeem(btoa(token), authorization)).messages).toEqual([
        'This token is still in base64: decode it first.',
      ]);
      testApp.clock.advance(61);
      expect((await redeem(token, authorization)).messages).toEqual([
        'This token has expired. It is redeemed within a minute.',
      ]);
      expect((await redeem('not a token', authorization)).messages).toEqual([
        'This token was changed, or is none of ours.',
      ]);
    },
  );

  test.each([
    // Some seconds to spare for a busy machine, whose clock goes on meanwhile.
    [50, 200],
    [61, 401],
  ])('%i seconds later: %i', async (seconds, status) => {
    const { token } = await handedOff();
    testApp.clock.advance(seconds);
    expect((await redeem(token, basic('member-intake'))).status).toBe(status);
  });

  test('61 seconds later the module refuses the link too', { tags: 'long' }, async () => {
    const { visitor, url } = await handedOff();
    testApp.clock.advance(61);
    expect((await follow(visitor, url)).status).toBe(403);
  });

  test('after signing out it is worth nothing', async () => {
    const { visitor, token } = await handedOff();
    await visitor.ok('logOut', {
      params: { userId: '1', appState: 'a', loggedInId: 'b', roleId: '1' },
    });
    expect((await redeem(token, basic('member-intake'))).status).toBe(401);
  });

  test.each(['appState', 'userId', 'roleId', 'loggenInId'])(
    'a module refuses a changed %s',
    { tags: 'long' },
    async (name) => {
      const { visitor, url } = await handedOff();
      const changed = new URL(url);
      changed.searchParams.set(name, '3');
      const page = await follow(visitor, changed.href);
      expect(page.status).toBe(403);
      expect(page.text).toContain(`${name} was changed on the way`);
      // The hints were wrong, the token was not: it is still good for the right link.
      expect((await follow(visitor, url)).status).toBe(200);
    },
  );

  test('forged tokens are refused by portal and module', async () => {
    const { visitor, url, token } = await handedOff();
    const [, body = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
    const sign = (change: Record<string, unknown>, typ = 'handoff+jwt') =>
      new SignJWT({ ...claims, ...change })
        .setProtectedHeader({ alg: 'ES256', typ, kid: key.kid })
        .sign(key.privateKey);
    const none = `${Buffer.from('{"alg":"none","typ":"handoff+jwt"}').toString('base64url')}.${body}.`;
    const hs256 = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'handoff+jwt', kid: key.kid })
      .sign(Buffer.from(JSON.stringify(key.publicJwk)));
    const forged = [
      await sign({}, 'JWT'),
      await sign({}, 'at+jwt'),
      await sign({ aud: 'admin' }),
      await sign({ iss: 'https://elsewhere.example' }),
      await sign({ exp: 1 }),
      await sign({ nbf: 9_999_999_999 }),
      `${token.slice(0, -4)}AAAA`,
      none,
      hs256,
      'not a token',
      '',
    ];
    for (const each of forged) {
      expect((await redeem(each, basic('member-intake'))).status).toBe(401);
      const link = new URL(url);
      link.searchParams.set('token', btoa(each));
      expect((await follow(visitor, link.href)).status).toBe(403);
    }
    const noFactor = new URL(url);
    noFactor.searchParams.set('token', btoa(await sign({ amr: ['pwd'] })));
    expect((await follow(visitor, noFactor.href)).text).toContain('no second factor');
    expect((await redeem(token, basic('member-intake'))).status).toBe(200);
  });

  test("a module's page needs a session of its own", async () => {
    const page = await testApp.visitor().request('/demo/admin');
    expect(page.status).toBe(401);
    expect((await testApp.visitor().request('/demo/nothing')).status).toBe(404);
  });
});

describe('three hand-offs to one module in half a minute', () => {
  test('stop with an explanation, and go on after it', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('multi');
    for (let n = 0; n < 3; n += 1) expect((await issue(visitor, role(4))).status).toBe(200);
    const stopped = await issue(visitor, role(4));
    expect(stopped).toMatchObject({ status: 200, data: null, errorFlag: 'HANDOFF_LOOP' });
    expect(stopped.messages[0]).toContain('three times in a row');
    expect((await issue(visitor, role(6))).data?.url).toContain('/demo/event-counter');
    testApp.clock.advance(31);
    expect((await issue(visitor, role(4))).data?.url).toContain('/demo/admin');
  });

  // PGlite runs one transaction at a time: only PostgreSQL can lose this race.
  test('asked for all at once are three as well', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const answers = await Promise.all(Array.from({ length: 12 }, () => issue(visitor)));
    expect(answers.filter((answer) => answer.succeeded)).toHaveLength(3);
  });
});

describe('[RED-12] the sealed credential', () => {
  /** As the browser seals it at sign-in. */
  async function seal(module: string, txn: string, pwd: string, aud = module): Promise<string> {
    const { sealedModules } = await testApp
      .visitor()
      .ok('beginSession', { body: { entrance: 'portal', isFresh: false } });
    const jwk = sealedModules.find((each) => each.module === module)?.publicKey as JWK;
    const publicKey = await importJWK(jwk, 'RSA-OAEP-256');
    return new CompactEncrypt(Buffer.from(JSON.stringify({ pwd, txn, aud })))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
      .encrypt(publicKey);
  }
  const withCredential = (url: string, credential: string) => `${url}&credential=${credential}`;

  test.each([
    ['staff', role(3), 'member-intake'],
    ['special', null, 'special'],
    ['member', null, null],
    ['everything', role(4), null],
  ] as const)('%s as %j: for %s', { tags: 'long' }, async (name, choice, module) => {
    expect((await handedOff(name, choice)).credentialFor).toBe(module);
  });

  test('the public keys are public and nothing more', async () => {
    const { sealedModules } = await testApp
      .visitor()
      .ok('beginSession', { body: { entrance: 'portal', isFresh: false } });
    expect(sealedModules.map((each) => each.module)).toEqual(['member-intake', 'special']);
    for (const { publicKey } of sealedModules) {
      expect(Object.keys(publicKey).toSorted()).toEqual(['alg', 'e', 'kty', 'n', 'use']);
    }
    const keys = (await (await testApp.visitor().request('/api/Handoff/Keys')).json()) as {
      keys: JWK[];
    };
    expect(keys.keys.map((each) => each.d)).toEqual([undefined]);
  });

  test('opens in its module, together with the hand-off of the same sign-in', async () => {
    const { visitor, url } = await handedOff('staff', role(3));
    const appState = new URL(url).searchParams.get('appState') ?? '';
    const credential = await seal('member-intake', appState, 'Pässword-1 👵');
    const page = await follow(visitor, withCredential(url, credential));
    expect(page.text).toContain('<dt>Sealed credential</dt><dd>opened, 12 characters</dd>');
    expect(page.text).not.toContain('Pässword');
  });

  test(
    'is refused for another sign-in, another module, or when it was tampered with',
    { tags: 'long' },
    async () => {
      const appStateOf = (url: string) => new URL(url).searchParams.get('appState') ?? '';
      const bad = [
        async () => seal('member-intake', 'another-sign-in', 'x'),
        async (url: string) => seal('member-intake', appStateOf(url), 'x', 'special'),
        async (url: string) => seal('special', appStateOf(url), 'x', 'member-intake'),
        async (url: string) =>
          `${(await seal('member-intake', appStateOf(url), 'x')).slice(0, -3)}AAA`,
        async () => 'UG9yY2hsaWdodC0x',
      ];
      for (const make of bad) {
        const { visitor, url } = await handedOff('staff', role(3));
        expect((await follow(visitor, withCredential(url, await make(url)))).status).toBe(403);
      }
    },
  );
});

test("a module's secret may have a colon", { tags: 'long' }, async () => {
  const context = await createTestContext();
  const secret = 'one:two:three';
  const module = {
    id: 'admin',
    rootUrl: '',
    loginUrl: '',
    secretHash: hashToken(secret),
    sealedTo: null,
    signOutUrl: null,
    accepts: ['otp'] as const,
  } as const;
  const handOff = createHandOff(context, {
    keys: { current: async () => [] },
    modules: [module],
    signIns: { signedInOf: () => null, lockSignedIn: async () => null },
  });
  await expect(handOff.redeem(basic('admin', secret), 'x')).rejects.toThrow('HANDOFF_INVALID');
  await expect(handOff.redeem(basic('admin', 'one'), 'x')).rejects.toThrow('MODULE_UNKNOWN');
  await context.database.close();
});

test('[HND-06] [LIM-12] B13: of fifty arrivals at once one opens the module, and each is answered', async () => {
  const limits = { requestsAtOnce: { max: 24, windowMs: 1000 } };
  const own = await createTestApp({ limitFactor: 50, limits });
  const member = own.visitor();
  await member.signIn('member');
  const { data } = await issue(member);
  const arrivals = await Promise.all(
    // From the address of the module itself, as on one machine.
    Array.from({ length: 50 }, () => own.visitor('127.0.0.1').request(data?.url ?? '')),
  );
  const statuses = arrivals.map(({ status }) => status);
  expect(statuses.filter((status) => status === 303)).toHaveLength(1);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  await own.close();
});
