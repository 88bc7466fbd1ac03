// R9: whether the time of an answer tells if an address has an account, at calls that may not tell it. The figure is how
// well one answer's time sorts known from unknown addresses (area under the ROC curve, 0.5 is no better than a coin).
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { routeOf } from '#contract/routes.ts';
import { createVisitor } from '../../src/server/testing/visitor.ts';
import { type Figure, median } from '../../tools/figures.ts';
import { startServer } from '../../tools/server-process.ts';
import { createDatabase } from '../../tools/postgres.ts';

const SAMPLES = 1000;
const WARM_UP = 40;
const FEW = 3;
const REST_MS = 25;
/** Until the job behind an answer is done. */
const JOB_MS = 150;
const BUDGET = 0.55;
const CLIENT_ID = 'timing';
const REALM = 'Username-Password-Authentication';
const IP = '198.51.100.7';
/** Every limit that would end the run; the truthful answers of `balanced` are used up on purpose. */
const LIMITS = Object.fromEntries(
  [
    ['signUpPerIp', 'signUpProofPerIp', 'resetPerIp', 'resetProofPerIp', 'passwordlessPerIp'],
    ['codePerIp', 'codePerIpADay', 'startPerIp', 'startPerIpADay', 'errorPerIp'],
    // Each asks for a mail: of an address that is held back no job tells anything.
    ['resetPerAccount'],
  ]
    .flat()
    .map((name) => [name, { max: 1_000_000 }]),
);
/** Used up at the start, and for the whole run. */
Object.assign(LIMITS, { lookUpPerIp: { max: 5, minutes: 600 } });
const KNOWN = ['member', 'top', 'staff', 'legal', 'admin', 'counter', 'intake', 'agent'].map(
  (name) => `${name}@demo.porchlight.test`,
);

type Call = {
  readonly path: string;
  /** A call of the portal, by a browser. */
  readonly isPortal?: true;
  readonly body: (email: string) => object;
  /** Asked for the same address before, outside the time. */
  readonly after?: string;
  /** An address that was used once is no stranger any more. */
  readonly isOnce?: true;
};
const CALLS: readonly Call[] = [
  {
    path: 'passwordless/start',
    body: (email) => ({ connection: 'email', email }),
  },
  {
    path: 'dbconnections/signup',
    isOnce: true,
    body: (email) => ({
      connection: REALM,
      email,
      password: `Sunny-Porch-${createHash('sha256').update(email).digest('hex').slice(0, 6)}`,
      given_name: 'Ada',
      family_name: 'Winslow',
      user_metadata: { phone_number: '+15550142290' },
    }),
  },
  {
    path: 'dbconnections/change_password',
    body: (email) => ({ connection: REALM, email }),
  },
  {
    path: routeOf('forgotPassword').path,
    isPortal: true,
    body: (email) => ({
      userName: email,
      emailID: email,
      requestedIP: '::1',
      commMedium: 'Email',
      commSendOn: email,
    }),
  },
  {
    path: 'passwordless/verify',
    after: 'passwordless/start',
    body: (email) => ({ connection: 'email', email, verification_code: 'none' }),
  },
];

export async function measureEnumeration(
  clusterUrl: string,
  signal: AbortSignal,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const mode of ['balanced', 'strict'] as const) {
    const databaseUrl = await createDatabase(clusterUrl, `porchlight_bench_timing_${mode}`);
    const folder = mkdtempSync(path.join(tmpdir(), 'porchlight-timing-'));
    const file = path.join(folder, 'clients.json');
    writeFileSync(file, JSON.stringify([client]));
    const server = await startServer({
      databaseUrl,
      env: {
        PORCHLIGHT_ENUMERATION: mode,
        PORCHLIGHT_CLIENTS_FILE: file,
        PORCHLIGHT_LIMITS: JSON.stringify(LIMITS),
        TRUSTED_PROXIES: '127.0.0.1',
      },
    });
    try {
      for (let n = 0; n < 10; n += 1) {
        signal.throwIfAborted();
        await fetch(`${server.url}/api/user/GetUserStatusByUserName/look-${n}@example.test`, {
          headers: { 'x-forwarded-for': IP },
        });
      }
      for (const call of CALLS) figures.push(await measure(server.url, call, mode, signal));
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return figures;
}

const client = {
  id: CLIENT_ID,
  name: 'Timing',
  firstParty: true,
  redirectUris: ['https://timing.example/callback'],
  grants: ['authorization_code', 'passwordless'],
};

/** Known and unknown in a random order, one after the other, each when the one before has come to rest. */
async function measure(
  url: string,
  { path: call, body, after, isOnce, isPortal }: Call,
  mode: string,
  signal: AbortSignal,
): Promise<Figure> {
  const took = { known: [] as number[], unknown: [] as number[] };
  let strangers = 0;
  const codes = new Map<number, number>();
  const browser = createVisitor({ url, codeFor: () => Promise.resolve('') }, IP);
  if (isPortal) await browser.ok('getVisit', {});
  const send = (email: string) =>
    isPortal ? browser.post(call, body(email)) : post(url, call, body(email));
  for (let n = 0; n < WARM_UP + 2 * SAMPLES; n += 1) {
    signal.throwIfAborted();
    const who =
      took.known.length >= SAMPLES || (Math.random() < 0.5 && took.unknown.length < SAMPLES)
        ? 'unknown'
        : 'known';
    strangers += 1;
    const stranger = `stranger-${mode}-${isOnce ? strangers : n % KNOWN.length}@example.test`;
    const email = who === 'known' ? (KNOWN[n % KNOWN.length] ?? '') : stranger;
    if (after !== undefined && n % FEW === 0) {
      await (await post(url, after, body(email))).arrayBuffer();
      await sleep(JOB_MS);
    }
    const started = performance.now();
    const response = await send(email);
    await response.arrayBuffer();
    if (n >= WARM_UP) took[who].push(performance.now() - started);
    codes.set(response.status, (codes.get(response.status) ?? 0) + 1);
    await sleep(REST_MS);
  }
  const ms = (values: number[]) => median(values).toFixed(2);
  const statuses = [...codes].map(([code, count]) => `${count} x ${code}`).join(', ');
  return {
    id: 'R9',
    what: `${mode}: ${call}, AUC of known and unknown`,
    unit: '',
    value: separation(took.known, took.unknown),
    budget: BUDGET,
    baseline: `known ${ms(took.known)} ms n ${took.known.length} : unknown ${ms(took.unknown)} ms n ${took.unknown.length}; ${statuses}`,
  };
}

const post = (url: string, call: string, body: object) =>
  fetch(`${url}/idp/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': IP },
    body: JSON.stringify({ client_id: CLIENT_ID, ...body }),
  });

/** The chance that one of `a` took longer than one of `b`, or the other way round: whichever is greater. */
function separation(a: readonly number[], b: readonly number[]): number {
  let wins = 0;
  for (const x of a) for (const y of b) wins += x > y ? 1 : x === y ? 0.5 : 0;
  const auc = wins / (a.length * b.length);
  return Math.max(auc, 1 - auc);
}
