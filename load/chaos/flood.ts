import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { RATE_LIMITS } from '../../src/server/config/limits.ts';
import { type Db, openDatabase } from '../../src/server/db/database.ts';
import { newestCode } from '../../src/server/testing/inbox.ts';
import { endProcess, startProcess } from '../../src/server/testing/server-process.ts';
import { createVisitor, PASSWORD, type Visitor } from '../../src/server/testing/visitor.ts';
import { ownPostgres } from './own-database.ts';
import { onPostgresOnly, type Run } from './run.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Requests of a flood. */
const REQUESTS = 300;
const AT_ONCE = 12;
const SOCKETS = 200;
/** A little longer than the server waits for a request (R34). */
const STALLED_MS = 20_000;
/** Fewer than the real ones, so that a short flood gets past it. */
const STARTS = 200;
const QUIET_MS = 5000;
/** Between two steps of the visitor beside. */
const PAUSE_MS = 1000;
const OWNER = 'owner@example.test';

/** Where strangers come from; each flood from networks of its own. */
type Source = {
  readonly name: string;
  readonly isOne: boolean;
  address(flood: number, n: number): string;
};
const SOURCES: readonly Source[] = [
  { name: 'one network', isOne: true, address: (flood) => `203.0.113.${flood + 1}` },
  {
    name: 'one /64',
    isOne: true,
    address: (flood, n) => `2001:db8:${flood + 1}:7::${(n + 1).toString(16)}`,
  },
  {
    name: 'many networks',
    isOne: false,
    address: (flood, n) => `100.${64 + flood}.${n >> 8}.${n & 255}`,
  },
];

const COUNTED = {
  visits: 'select count(*) as total from visits',
  requests: `select count(*) as total from hosted_payloads where model = 'Interaction'`,
  accounts: 'select count(*) as total from users',
  forms: 'select count(*) as total from registrations',
  'sign-up codes': 'select count(*) as total from otp_codes where sign_in_id is null',
  'compared passwords': `select count(*) as total from audit_events where kind = 'signIn.wrongPassword'`,
} as const;
type Counted = keyof typeof COUNTED;
type Counts = Readonly<Record<Counted, number>>;

type Flood = {
  readonly name: string;
  /** `flood` counts the floods: what must not meet an earlier one is named by it. */
  one(ip: string, n: number, flood: number): Promise<number>;
  /** At most so many rows, from one network and from many. */
  caps(isOne: boolean): Partial<Record<Counted, number>>;
};

/** Floods the server with cheap requests while a well-behaved visitor signs in. */
export async function runFlood(run: Run): Promise<void> {
  onPostgresOnly(run);
  const { report, signal } = run;
  const requests = run.rounds ?? REQUESTS;
  const url = await ownPostgres(run);
  const server = await startProcess({
    DATABASE_URL: url,
    PORCHLIGHT_DATA_DIR: temporaryFolder(run),
    TRUSTED_PROXIES: '127.0.0.1',
    PORCHLIGHT_CAPTCHA_WORK: '1',
    PORCHLIGHT_LIMITS: realLimits(),
    LOG_LEVEL: 'fatal',
  });
  run.onEnd(() => endProcess(server));
  const refusal = await server.started;
  if (refusal !== null) throw new Error(refusal);
  const { db, close } = await openDatabase({ url });
  run.onEnd(close);

  const newVisitor = (ip?: string) =>
    createVisitor({ url: server.url, codeFor: (email) => newestCode(server.url, email) }, ip);
  const owner = newVisitor('192.0.2.10');
  await owner.register({ emailAddress: OWNER });
  await owner.signIn(OWNER, PASSWORD);

  const rows: (string | number)[][] = [];
  const overCaps: string[] = [];
  const refused: string[] = [];
  async function beside(
    name: string,
    work: () => Promise<string>,
    caps: Flood['caps'],
    isOne: boolean,
  ) {
    const before = await count(db);
    const guest = startGuest(owner);
    const answers = await work();
    const { times, faults } = await guest.end();
    refused.push(...faults.map((fault) => `${name}: ${fault}`));
    const after = await count(db);
    const made = Object.keys(COUNTED).map(
      (what) => after[what as Counted] - before[what as Counted],
    );
    for (const [what, cap] of Object.entries(caps(isOne))) {
      const grown = after[what as Counted] - before[what as Counted];
      if (grown > cap) overCaps.push(`${name}: ${grown} ${what}, at most ${cap}`);
    }
    rows.push([name, answers, ...made, ms(times, 0.5), ms(times, 0.95), times.length]);
    report.say(`flooded: ${name}`);
  }

  const nothing = async () => {
    await sleep(QUIET_MS);
    return '-';
  };
  await beside('nothing', nothing, () => ({}), true);
  let number = 0;
  for (const flood of floodsOf(newVisitor)) {
    for (const source of SOURCES) {
      signal.throwIfAborted();
      const k = (number += 1);
      const work = () => pour(requests, (n) => flood.one(source.address(k, n), n, k));
      await beside(`${flood.name}, ${source.name}`, work, flood.caps, source.isOne);
    }
  }
  const { port } = new URL(server.url);
  for (const [name, text] of [
    ['silent sockets', ''],
    ['headers without an end', 'GET /account/signin HTTP/1.1\r\nHost: localhost\r\n'],
    [
      'bodies that stall',
      `POST /api/User/CreateUser HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    ],
  ] as const) {
    signal.throwIfAborted();
    await beside(
      name,
      () => stall(Number(port), text),
      () => ({}),
      true,
    );
  }

  report.say('');
  report.table(['flood', 'answers', ...Object.keys(COUNTED), 'p50 ms', 'p95 ms', 'steps'], rows);
  report.say(
    'The last three are those of the visitor beside: a page, a call, a whole sign-in in turn.',
  );
  report.check('rows beyond their caps', overCaps);
  report.check('the visitor beside was refused', refused);
}

/** The numbers of production, also in a demo. */
function realLimits(): string {
  const given = Object.values(RATE_LIMITS).map(({ name, max }) => [name, { max }] as const);
  return JSON.stringify({ ...Object.fromEntries(given), startPerIp: { max: STARTS } });
}

function floodsOf(newVisitor: (ip?: string) => Visitor): readonly Flood[] {
  const max = (name: keyof typeof RATE_LIMITS) => RATE_LIMITS[name].max;
  const starts = (isOne: boolean): Partial<Record<Counted, number>> =>
    isOne ? { visits: STARTS, requests: STARTS } : {};
  const statusOf = async (answer: Promise<Response>) => {
    const { status, body } = await answer;
    await body?.cancel();
    return status;
  };
  let emails = 0;
  return [
    {
      name: 'pages',
      one: (ip) => statusOf(newVisitor(ip).request('/account/signin')),
      caps: starts,
    },
    {
      name: 'visits',
      one: async (ip) => (await newVisitor(ip).call('getVisit', {})).status,
      caps: starts,
    },
    {
      name: 'requests of applications',
      async one(ip) {
        const visitor = newVisitor(ip);
        const begun = await visitor.call('beginSession', {
          body: { entrance: 'portal', isFresh: true },
        });
        if (!begun.data) return begun.status;
        // Asks for the screens, so that something waits here for an answer.
        const url = begun.data.authorizeUrl.replace('prompt=none', 'prompt=login');
        return statusOf(visitor.request(url.replace('response_mode=web_message', '')));
      },
      caps: starts,
    },
    {
      name: 'sign-ups',
      async one(ip) {
        const emailAddress = `flood-${(emails += 1)}@example.test`;
        const answer = await newVisitor(ip).signUp({ emailAddress });
        return answer.errorFlag === 'CAPTCHA_NEEDED' ? 428 : answer.status;
      },
      caps: (isOne) => (isOne ? { forms: max('signUpPerIp'), accounts: max('signUpPerIp') } : {}),
    },
    {
      name: 'codes to one mailbox',
      async one(ip, _n, flood) {
        const visitor = newVisitor(ip);
        const emailAddress = `flooded-${flood}@example.test`;
        const created = await visitor.signUp({ emailAddress });
        if (!created.data) return created.errorFlag === 'CAPTCHA_NEEDED' ? 428 : created.status;
        return (await visitor.sendCode(created.data.userId, 'USER_ACTIVATION')).status;
      },
      caps: () => ({ 'sign-up codes': max('codePerMailbox') }),
    },
    {
      name: "wrong passwords of the visitor's account",
      one: async (ip, n) => (await newVisitor(ip).authenticate(OWNER, `Wrong-${n}-x`)).status,
      caps: (isOne) => ({
        'compared passwords': isOne
          ? max('passwordPerAccountAndIp')
          : max('passwordProofPerAccount'),
      }),
    },
  ];
}

/** @returns 'status x times' */
async function pour(count_: number, one: (n: number) => Promise<number>): Promise<string> {
  const statuses = new Map<string, number>();
  const note = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1);
  let next = 0;
  const work = async () => {
    while (next < count_) {
      const n = next;
      next += 1;
      note(await one(n).then(String, () => 'none'));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return text(statuses);
}

const text = (statuses: ReadonlyMap<string, number>) =>
  [...statuses]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([status, times]) => `${status} x ${times}`)
    .join(', ');

/** Opens sockets, says what is given, and waits until the server has had enough of them. */
async function stall(port: number, said: string): Promise<string> {
  const heard = new Map<string, number>();
  const sockets = Array.from({ length: SOCKETS }, () => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk))).on('error', () => undefined);
    socket.write(said);
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => {
        const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'closed';
        heard.set(status, (heard.get(status) ?? 0) + 1);
        resolve();
      });
    });
    return { socket, closed };
  });
  await Promise.race([Promise.all(sockets.map(({ closed }) => closed)), sleep(STALLED_MS)]);
  const open = SOCKETS - [...heard.values()].reduce((sum, times) => sum + times, 0);
  const answers =
    open > 0 ? [text(heard), `open x ${open}`].filter(Boolean).join(', ') : text(heard);
  for (const { socket } of sockets) socket.destroy();
  return answers;
}

/** A visitor with an account from another network, at the pace of a quick person. */
function startGuest(visitor: Visitor) {
  const times: number[] = [];
  const faults: string[] = [];
  let isOver = false;
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      'a page',
      async () => {
        const page = await visitor.request('/account/signin');
        await page.text();
        if (page.status !== 200) throw new Error(`status ${page.status}`);
      },
    ],
    ['a call', () => visitor.ok('getVisit', {})],
    ['a sign-in', () => visitor.signIn(OWNER, PASSWORD)],
  ];
  const done = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const [name, step] = steps[n % steps.length] ?? [];
      if (!name || !step) return;
      const begun = performance.now();
      try {
        await step();
        times.push(performance.now() - begun);
      } catch (error) {
        faults.push(`${name}: ${String(error)}`);
      }
      await sleep(PAUSE_MS);
    }
  })();
  return {
    async end() {
      isOver = true;
      await done;
      return { times, faults };
    },
  };
}

function ms(times: readonly number[], part: number): string {
  const sorted = [...times].sort((one, other) => one - other);
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return found === undefined ? '-' : String(Math.round(found));
}

async function count(db: Db): Promise<Counts> {
  const found = await Promise.all(
    Object.entries(COUNTED).map(async ([what, statement]) => {
      const { rows } = await sql.raw<{ total: number }>(statement).execute(db);
      return [what, Number(rows[0]?.total)] as const;
    }),
  );
  return Object.fromEntries(found) as Counts;
}
