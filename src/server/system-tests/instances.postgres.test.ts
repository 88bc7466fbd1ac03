/** [R45] [R37] Two instances on one PostgreSQL, behind a balancer that sends every request to the other one. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_LIMIT_FACTOR } from '../config/config.ts';
import { RATE_LIMITS } from '../abuse/rate-limit-rules.ts';
import { type Balancer, startBalancer } from '../testing/balancer.ts';
import { freePort } from '../testing/free-port.ts';
import { codeIn, readInbox } from '../testing/inbox.ts';
import { endProcess, type ServerProcess, startProcess } from '../testing/server-process.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

const SLOW_MS = 240_000;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SECRET = 'the-secret-of-two-instances-long-enough';
const ACCOUNTS = ['member', 'top', 'admin', 'counter', 'agent', 'partner'];
/** The limits of a demo are wider. */
const TRUTHFUL_LOOK_UPS = RATE_LIMITS.lookUpPerIp.max * DEMO_LIMIT_FACTOR;
const COUNT = 2;

let dir: string;
let database: TestDatabase;
let balancer: Balancer;
let instances: ServerProcess[] = [];
let ports: number[];

function environment(port: number): Record<string, string> {
  return {
    PORT: String(port),
    PORCHLIGHT_PUBLIC_URL: balancer.url,
    PORCHLIGHT_DATA_DIR: dir,
    PORCHLIGHT_SECRET: SECRET,
    PORCHLIGHT_DRAIN_SECONDS: '1',
    TRUSTED_PROXIES: '127.0.0.1',
    ...(database.url && { DATABASE_URL: database.url }),
  };
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'porchlight-instances-'));
  database = await openTestDatabase('empty');
  ports = await Promise.all(Array.from({ length: COUNT }, () => freePort()));
  balancer = await startBalancer(ports);
  // Both at once on an empty database: one migrates, one makes the keys.
  instances = await Promise.all(ports.map((port) => startProcess(environment(port))));
  const said = await Promise.all(instances.map((instance) => instance.started));
  if (said.some((text) => text !== null)) throw new Error(said.join('\n'));
  await balancer.untilReady(COUNT);
}, SLOW_MS);
afterAll(async () => {
  await balancer.close();
  await Promise.all(instances.map(endProcess));
  await database.close();
  rmSync(dir, { recursive: true, force: true });
});

/** An instance that is asked for its inbox finishes what its own worker has taken: asked of both, all is delivered. */
async function codeFor(email: string): Promise<string> {
  for (const port of ports) await readInbox(`http://127.0.0.1:${port}`, email);
  return codeIn(balancer.url, email);
}

const visit = (): Visitor => createVisitor({ url: balancer.url, codeFor });

async function handOff(visitor: Visitor): Promise<void> {
  const { data } = await visitor.call('issueHandoff', {
    body: { choice: null, entrance: 'portal' },
  });
  if (!data) throw new Error('No hand-off');
  const status = (await visitor.request(data.url)).status;
  if (status !== 303) throw new Error(`The module answered ${status}`);
}

/** Keeps people busy until `work` is done; whatever goes wrong for one of them. */
async function underLoad(
  work: () => Promise<void>,
  one: (visitor: Visitor, turn: number) => Promise<unknown>,
) {
  const visitors = await Promise.all(
    ACCOUNTS.map(async (name) => {
      const visitor = visit();
      await visitor.signIn(name);
      return visitor;
    }),
  );
  const failed: string[] = [];
  let isOver = false;
  let done = 0;
  const people = visitors.map(async (visitor) => {
    // A handful of faults tells enough.
    for (let turn = 0; !isOver && failed.length < 20; turn += 1) {
      try {
        await one(visitor, turn);
        done += 1;
      } catch (error) {
        failed.push(String(error));
      }
    }
  });
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(people);
  }
  return { failed, done };
}

const keys = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['src/server/cli/main.ts', 'keys', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', ...environment(0) },
  });

/** The demo's clock is each instance's own. */
const advance = (seconds: number) =>
  Promise.all(
    ports.map((port) =>
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
    const counts = ports.map((port) => balancer.sent.get(port) ?? 0);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });

  test('both publish the same keys', async () => {
    const sets = await Promise.all(
      ports.flatMap((port) =>
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
        const one = createVisitor({ url: balancer.url, codeFor: async () => '' }, visitor.ip);
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
    const right = Number(await codeFor('tries@example.test'));
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
        async () => {
          for (const [at, port] of ports.entries()) {
            instances[at]?.kill('SIGTERM');
            expect(await instances[at]?.exited).toBe(0);
            instances[at] = await startProcess(environment(port));
            expect(await instances[at].started).toBeNull();
            await balancer.untilReady(COUNT);
          }
        },
        async (visitor, turn) => {
          if (turn % 3 === 0) await visitor.complete();
          const answer = await visitor.call('getVisit', {});
          if (answer.status !== 200) throw new Error(`getVisit: ${answer.status}`);
        },
      );
      expect(failed).toEqual([]);
      expect(done).toBeGreaterThan(ACCOUNTS.length);
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
        async () => {
          await keys('rotate', '--now');
          // Publishes; a later moment signs. In real life half a minute and two minutes.
          await advance(1);
          await advance(121);
        },
        (visitor) => visitor.complete(),
      );
      expect(failed).toEqual([]);
      expect(done).toBeGreaterThan(ACCOUNTS.length);
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
    const sets = ports.map(async (port) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/Handoff/Keys`);
      const { keys: published } = (await answer.json()) as { keys: { kid: string }[] };
      return published[0]?.kid ?? '';
    });
    return Promise.all(sets);
  }
});
