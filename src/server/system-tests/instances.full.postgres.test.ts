/** [R45] [R37] Two instances on one PostgreSQL, behind a balancer that sends every request to the other one. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_LIMIT_FACTOR } from '../config/config.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { demoEmail, DEMO_PASSWORD } from '../demo/seed.ts';
import { runCommand } from '../testing/command.ts';
import { readInbox } from '../testing/inbox.ts';
import { type Instances, startInstances } from '../testing/instances.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { PEOPLE, underLoad } from '../testing/under-load.ts';
import type { Visitor } from '../testing/visitor.ts';

const SLOW_MS = 240_000;
/** The limits of a demo are wider. */
const TRUTHFUL_LOOK_UPS = RATE_LIMITS.lookUpPerIp.max * DEMO_LIMIT_FACTOR;

let database: TestDatabase;
let instances: Instances;

beforeAll(async () => {
  database = await openTestDatabase('empty');
  instances = await startInstances({ DATABASE_URL: database.url ?? '' });
}, SLOW_MS);
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
