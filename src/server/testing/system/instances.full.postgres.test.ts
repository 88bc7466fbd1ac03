/** [R45] [R37] Two instances on one PostgreSQL, behind a balancer that sends every request to the other one. */

import { afterAll, describe, expect, test } from 'vitest';
import { DEMO_LIMIT_FACTOR } from '../../config/config.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import { demoEmail, DEMO_PASSWORD } from '../../demo/seed.ts';
import { runCommand } from '../command.ts';
import { readInbox } from '../inbox.ts';
import { startInstances } from '../instances.ts';
import { openTestDatabase } from '../test-database.ts';
import { PEOPLE, underLoad } from '../under-load.ts';
import type { Visitor } from '../visitor.ts';

const SLOW_MS = 240_000;
/** The limits of a demo are wider. */
const TRUTHFUL_LOOK_UPS = RATE_LIMITS.lookUpPerIp.max * DEMO_LIMIT_FACTOR;

const database = await openTestDatabase('empty');
const instances = await startInstances({ DATABASE_URL: database.url ?? '' });
afterAll(async () => {
  await instances.close();
  await database.close();
});

const visit = () => instances.visitor();

async function handOff(visitor: Visitor): Promise<void> {
  const { data } = await visitor.call('issueHandoff', {
    body: { choice: null, entrance: 'portal' },
  });
  if (!data) throw new Error('No hand-off');
  const status = (await visitor.request(data.url)).status;
  if (status !== 303) throw new Error(`The module answered ${status}`);
}

/** The demo's clock is each instance's own. */
const advance = (seconds: number) =>
  Promise.all(
    instances.ports.map((port) =>
      fetch(`http://127.0.0.1:${port}/dev/clock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ advanceSeconds: seconds }),
      }),
    ),
  );

describe('[R45] one portal', () => {
  test('sign-up, code, sign-in, silent check, hand-off, sign-out, each request elsewhere', async () => {
    const visitor = visit();
    await visitor.register({ emailAddress: 'both@example.test' });
    await visitor.signIn('both@example.test', 'Sunny-Porch-7');
    await visitor.complete();
    await handOff(visitor);
    await visitor.ok('logOut', {
      params: { userId: '1', appState: 'a', loggedInId: 'b', roleId: '1' },
    });
    await expect(handOff(visitor)).rejects.toThrow('No hand-off');
    const counts = instances.ports.map((port) => instances.balancer.sent.get(port) ?? 0);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });

  test('both publish the same keys', async () => {
    const sets = await Promise.all(
      instances.ports.flatMap((port) =>
        ['/idp/.well-known/jwks.json', '/api/Handoff/Keys'].map(async (path) => [
          path,
          await (await fetch(`http://127.0.0.1:${port}${path}`)).text(),
        ]),
      ),
    );
    expect(new Set(sets.map((set) => set.join(' '))).size).toBe(2);
  });

  test('limits count both: truthful answers end after as many as one instance would give', async () => {
    const visitor = visit();
    const answers = await Promise.all(
      Array.from({ length: TRUTHFUL_LOOK_UPS + 30 }, async (_, n) => {
        // One visit each, so that only the network address is counted.
        const one = instances.visitor(visitor.ip);
        const params = { email: `nobody-${n}@example.test` };
        return (await one.call('checkUser', { params })).data;
      }),
    );
    expect(answers.filter((known) => known === false)).toHaveLength(TRUTHFUL_LOOK_UPS);
  });

  test('a code has five tries on both together', async () => {
    const visitor = visit();
    const created = (await visitor.signUp({ emailAddress: 'tries@example.test' })).data;
    const sent = (await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION')).data;
    const right = Number(await instances.codeFor('tries@example.test'));
    const wrong = (right + 1) % 1_000_000;
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => visitor.verify(sent?.id ?? '', created?.userId ?? 0, wrong)),
    );
    expect(tries.every((answer) => !answer.succeeded)).toBe(true);
    const late = await visitor.verify(sent?.id ?? '', created?.userId ?? 0, right);
    expect(late.succeeded).toBe(false);
    const row = await database.db
      .selectFrom('otp_codes')
      .select('tries')
      .where('id', '=', sent?.id ?? '')
      .executeTakeFirst();
    expect(row?.tries).toBe(5);
  });

  test('[NOS-11] a form that one page sends to both has one effect, and both give the same answer', async () => {
    const { url } = instances.balancer;
    const email = demoEmail('legal');
    const codes = async () =>
      (await readInbox(url, email)).filter(({ channel }) => channel === 'email').length;
    const page = await (await fetch(`${url}/account/signin`)).text();
    const [, once = ''] = /name="once" value="([\w-]+)"/.exec(page) ?? [];
    const body = new URLSearchParams({ action: 'sign-in', email, password: DEMO_PASSWORD, once });
    const headers = { origin: url, 'sec-fetch-site': 'same-origin' };
    const press = async (port: number) => {
      const where = `http://127.0.0.1:${port}/account/signin`;
      const answer = await fetch(where, { method: 'POST', redirect: 'manual', headers, body });
      const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
      return { status: answer.status, to: answer.headers.get('location'), cookies };
    };
    const [one, other] = await Promise.all(instances.ports.map(press));
    expect(one).toMatchObject({ status: 303, to: '/account/verifyOtp' });
    expect(one?.cookies.join()).toContain('visit=');
    expect(other).toEqual(one);
    for (const port of instances.ports) await readInbox(`http://127.0.0.1:${port}`, email);
    expect(await codes()).toBe(1);
  });

  describe('[NOS-05] the code form of somebody else, byte for byte', () => {
    const OWN = { 'sec-fetch-site': 'same-origin' };
    const OTHER_SITE = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const none = async () => instances.visitor();
    const signedIn = async () => {
      const victim = instances.visitor();
      await victim.signIn('member');
      return victim;
    };
    const withVisit = async () => {
      const other = instances.visitor();
      await other.ok('getVisit', {});
      return other;
    };

    /** Signs in without script, and returns the sent code form while its answer is kept. */
    async function sendOwn() {
      const attacker = instances.visitor();
      const send = (path: string, fields: [string, string][]) =>
        attacker.request(path, { method: 'POST', body: new URLSearchParams(fields) });
      const hidden = async (path: string) => {
        const page = await (await attacker.request(path)).text();
        const value = (name: string) =>
          new RegExp(`name="${name}" value="([\\w-]*)"`).exec(page)?.[1] ?? '';
        return ['xsrf', 'once'].map((name): [string, string] => [name, value(name)]);
      };
      const email = demoEmail('agent');
      await send('/account/signin', [
        ...(await hidden('/account/signin')),
        ['action', 'sign-in'],
        ['email', email],
        ['password', DEMO_PASSWORD],
      ]);
      const fields = [...(await hidden('/account/verifyOtp')), ['action', 'code']] as const;
      const digits = (await instances.codeFor(email)).split('');
      const form = [...fields, ...digits.map((digit) => ['otp', digit])] as [string, string][];
      const answer = await send('/account/verifyOtp', form);
      expect(answer.headers.getSetCookie().join()).toContain('idp_session');
      return String(new URLSearchParams(form));
    }

    test.each([
      ['from another site, without cookies', OTHER_SITE, none],
      ['from another site, over the session of a victim', OTHER_SITE, signedIn],
      ['from another visit', OWN, withVisit],
      ['over the session of a victim', OWN, signedIn],
      ['by a browser that says nothing of itself', { 'sec-fetch-site': '', origin: '' }, none],
      ['by an older browser, from another site', { 'sec-fetch-site': '', origin: 'null' }, none],
    ])('%s, signs nobody in on either instance', async (_how, headers, browser) => {
      const others = [await browser(), await browser()];
      const before = others.map(({ cookies }) => cookies.get('visit'));
      const body = await sendOwn();
      const answers: Response[] = [];
      // One after the other: the balancer sends them to different instances.
      for (const other of others) {
        const type = { 'content-type': 'application/x-www-form-urlencoded' };
        const init = {
          method: 'POST',
          headers: { ...type, ...headers } as Record<string, string>,
          body,
        };
        answers.push(await other.request('/account/verifyOtp', init));
      }
      for (const [index, answer] of answers.entries()) {
        expect(answer.status).toBe(403);
        expect(await answer.text()).toContain('Please try once more');
        const { cookies, ok } = others[index] as Visitor;
        // A browser without a visit may have got an empty one.
        expect([before[index] ?? cookies.get('visit')]).toContain(cookies.get('visit'));
        expect((await ok('getVisit', {})).signIn?.email).not.toBe(demoEmail('agent'));
      }
    });
  });

  test('[NOS-05] a browser that says nothing of itself is refused once, and taken at its next try', async () => {
    const old = instances.visitor();
    const silent = { origin: '', 'sec-fetch-site': '', 'x-xsrf-token': '' };
    const signIn = async () => {
      const page = await old.request('/account/signin', { headers: silent });
      expect(page.headers.get('referrer-policy')).toBe('strict-origin');
      const [, xsrf = ''] = /name="xsrf" value="([\w-]*)"/.exec(await page.text()) ?? [];
      const [email, password] = [demoEmail('partner'), DEMO_PASSWORD];
      const body = new URLSearchParams({ action: 'sign-in', email, password, xsrf });
      return old.request('/account/signin', { method: 'POST', headers: silent, body });
    };
    const refused = await signIn();
    expect(refused.status).toBe(403);
    expect(refused.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await refused.text()).toMatch(/<a href="">Try again.*Do you need help\? Call \S/s);
    expect((await signIn()).headers.get('location')).toBe('/account/verifyOtp');
  });

  test('every job was taken by one of them, once', async () => {
    const jobs = await database.db
      .selectFrom('outbox')
      .select(['attempts', 'done_at'])
      .where('done_at', 'is not', null)
      .execute();
    expect(jobs.length).toBeGreaterThan(3);
    expect(jobs.filter((job) => job.attempts !== 1)).toEqual([]);
  });
});

describe('[R37] a rolling restart under load', () => {
  test(
    'no request fails, nobody is signed out, both end with 0',
    async () => {
      const { failed, done } = await underLoad(
        visit,
        async () => {
          for (const port of instances.ports) {
            expect(await instances.restart(port)).toBe(0);
            await instances.balancer.untilReady(instances.ports.length);
          }
        },
        async (visitor, turn) => {
          if (turn % 3 === 0) await visitor.complete();
          const answer = await visitor.call('getVisit', {});
          if (answer.status !== 200) throw new Error(`getVisit: ${answer.status}`);
        },
      );
      expect(failed).toEqual([]);
      expect(done).toBeGreaterThan(PEOPLE);
    },
    SLOW_MS,
  );
});

describe('[R30] other keys under load', () => {
  test(
    'no request fails, and new tokens are signed by the new keys',
    async () => {
      const before = await signers();
      const { failed, done } = await underLoad(
        visit,
        async () => {
          const env = instances.environment(0);
          expect((await runCommand(env, 'keys', 'rotate', '--now')).code).toBe(0);
          // Publishes; a later moment signs. In real life half a minute and two minutes.
          await advance(1);
          await advance(121);
        },
        (visitor) => visitor.complete(),
      );
      expect(failed).toEqual([]);
      expect(done).toBeGreaterThan(PEOPLE);
      const after = await signers();
      expect(after.filter((kid) => before.includes(kid))).toEqual([]);
      const visitor = visit();
      await visitor.signIn('member');
      await handOff(visitor);
    },
    SLOW_MS,
  );

  /** What each instance signs with: the first of its published keys. */
  async function signers(): Promise<string[]> {
    const sets = instances.ports.map(async (port) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/Handoff/Keys`);
      const { keys: published } = (await answer.json()) as { keys: { kid: string }[] };
      return published[0]?.kid ?? '';
    });
    return Promise.all(sets);
  }
});
