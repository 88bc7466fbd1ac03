// S5: the silent check and the code flow on PostgreSQL, beside oidc-provider with its in-memory adapter.
// The budget is on CPU time, which stays the same on a busy machine; requests per second are shown beside it.
import { createHash, randomBytes } from 'node:crypto';
import { type Figure, median } from '../../tools/figures.ts';
import { type ServerProcess, startServer } from '../../tools/server-process.ts';
import { prepareSignIn } from './sign-in-client.ts';

const ROUNDS = 12;
/** Both compile their busy paths first. */
const WARM_UP_ROUNDS = 8;
const PER_ROUND = 60;
const AT_ONCE = 4;
const CLIENT_ID = 'porchlight-portal';
/** Times the provider in memory. */
const BUDGET = 1.8;

type Target = {
  server: ServerProcess;
  cookie: string;
};

type Round = {
  cpuMs: number;
  perSecond: number;
  p95Ms: number;
};

type Name = 'ours' | 'baseline';
type Flow = (target: Target) => Promise<void>;

export async function measureHostedLogin(
  databaseUrl: string,
  signal: AbortSignal,
): Promise<Figure[]> {
  const ours = await startServer({ databaseUrl });
  try {
    const baseline = await startServer({ script: 'load/bench/baselines/bare-provider.ts' });
    try {
      const targets: Record<Name, Target> = {
        ours: { server: ours, cookie: await signIn(ours.url) },
        baseline: { server: baseline, cookie: await plainSession(baseline.url) },
      };
      const silent = await compare(targets, async (target) => void (await check(target)), signal);
      const whole = await compare(targets, codeFlow, signal);
      return [...figures('silent check', silent), ...figures('code flow', whole)];
    } finally {
      await baseline.stop();
    }
  } finally {
    await ours.stop();
  }
}

/** Round by round in turn, so that a noise of the machine falls on both. */
async function compare(targets: Record<Name, Target>, flow: Flow, signal: AbortSignal) {
  const rounds: Record<Name, Round[]> = { ours: [], baseline: [] };
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (const name of ['ours', 'baseline'] as const) {
      signal.throwIfAborted();
      const result = await runRound(targets[name], flow);
      if (round >= WARM_UP_ROUNDS) rounds[name].push(result);
    }
  }
  return rounds;
}

async function runRound(target: Target, flow: Flow): Promise<Round> {
  const took: number[] = [];
  let left = PER_ROUND;
  const before = await target.server.usage();
  const start = performance.now();
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const begun = performance.now();
      await flow(target);
      took.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const seconds = (performance.now() - start) / 1000;
  const cpu = (await target.server.usage()).cpuMs - before.cpuMs;
  took.sort((a, b) => a - b);
  return {
    cpuMs: cpu / PER_ROUND,
    perSecond: PER_ROUND / seconds,
    p95Ms: took[Math.floor(took.length * 0.95)] ?? Number.NaN,
  };
}

function figures(what: string, rounds: Record<Name, Round[]>): Figure[] {
  const of = (name: Name, field: keyof Round): number[] => rounds[name].map((one) => one[field]);
  const ratios = of('ours', 'cpuMs').map(
    (cpu, at) => cpu / (of('baseline', 'cpuMs')[at] ?? Number.NaN),
  );
  const both = (field: keyof Round, unit: string): string =>
    `${median(of('ours', field)).toFixed(1)} ${unit} : ${median(of('baseline', field)).toFixed(1)} ${unit}`;
  return [
    {
      id: 'S5',
      what: `CPU of a ${what} on PostgreSQL / in memory`,
      unit: '',
      value: median(ratios),
      runs: ratios,
      budget: BUDGET,
      baseline: both('cpuMs', 'ms CPU'),
    },
    {
      id: '-',
      what: `${what}: per second`,
      unit: '/s',
      value: median(of('ours', 'perSecond')),
      runs: of('ours', 'perSecond'),
      baseline: both('perSecond', '/s'),
    },
    {
      id: '-',
      what: `${what}: p95`,
      unit: 'ms',
      value: median(of('ours', 'p95Ms')),
      runs: of('ours', 'p95Ms'),
      baseline: both('p95Ms', 'ms'),
    },
  ];
}

async function signIn(url: string): Promise<string> {
  const person = await prepareSignIn(url, 'member@demo.porchlight.test');
  await person.password();
  await person.sendCode();
  await person.readCode();
  await person.finish();
  return person.cookies();
}

async function plainSession(url: string): Promise<string> {
  const response = await fetch(`${url}/idp/login`);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

/** A silent check as a browser sends it; the code and what redeems it. */
async function check({ server, cookie }: Target): Promise<{ code: string; verifier: string }> {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: CLIENT_ID,
    response_type: 'code',
    redirect_uri: `${server.url}/account/Redirect`,
    scope: 'openid profile email offline_access',
    state: randomBytes(32).toString('base64url'),
    nonce: randomBytes(32).toString('base64url'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    prompt: 'none',
    response_mode: 'web_message',
  });
  const response = await fetch(`${server.url}/idp/authorize?${String(query)}`, {
    headers: { cookie },
  });
  const page = await response.text();
  const code = /"code"\s*:\s*"([^"]+)"/.exec(page)?.[1];
  if (!code) throw new Error(`No code from ${server.url}: ${page.slice(0, 500)}`);
  return { code, verifier };
}

async function codeFlow(target: Target): Promise<void> {
  const { code, verifier } = await check(target);
  const response = await fetch(`${target.server.url}/idp/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CLIENT_ID,
      redirect_uri: `${target.server.url}/account/Redirect`,
      code,
      code_verifier: verifier,
    }),
  });
  const answer = (await response.json()) as { id_token?: string };
  if (!answer.id_token) throw new Error(`No ID token from ${target.server.url}`);
}
