// S1 and S4: the server's CPU time for one sign-in, measured in one argon2id verify.
// CPU time and not seconds: it stays the same when the machine is busy with something else.
import { hash, verify } from '@node-rs/argon2';
import { type Figure, median } from '../../tools/figures.ts';
import { createDatabase } from '../../tools/postgres.ts';
import { type ServerProcess, startServer } from '../../tools/server-process.ts';
import { advanceClock, COST, DEMO_PASSWORD, prepareSignIn } from './sign-in-client.ts';

const ROUNDS = 50;
/** A server compiles its busy paths within its first minutes; what it costs from then on is what counts. */
const WARM_UP = 150;
/** Longer than the windows of the limits, which would stop one address from signing in all day. */
const BETWEEN_ROUNDS_SECONDS = 700;
const ACCOUNTS = ['member', 'top', 'admin', 'counter', 'agent', 'partner', 'intake', 'legal'];

export async function measureSignIn(databaseUrl: string, signal: AbortSignal): Promise<Figure[]> {
  const server = await startServer({ databaseUrl });
  const least = await startServer({
    databaseUrl: await createDatabase(databaseUrl, 'porchlight_bench_bare'),
    script: 'load/bench/baselines/bare-sign-in.ts',
  });
  try {
    const stored = await hash(DEMO_PASSWORD, COST);
    const costs = {
      verify: [] as number[],
      least: [] as number[],
      password: [] as number[],
      rest: [] as number[],
    };
    const cpuOf = async (
      work: () => Promise<unknown>,
      of: ServerProcess = server,
    ): Promise<number> => {
      const before = await of.usage();
      await work();
      return (await of.usage()).cpuMs - before.cpuMs;
    };
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      signal.throwIfAborted();
      await advanceClock(server.url, BETWEEN_ROUNDS_SECONDS);
      const account = `${ACCOUNTS[round % ACCOUNTS.length]}@demo.porchlight.test`;
      const signIn = await prepareSignIn(server.url, account);
      // Interleaved with its baselines: the hash in this process with nothing around it, and the least server.
      const bare = await ownCpuOf(() => verify(stored, DEMO_PASSWORD));
      const atLeast = await cpuOf(() => givePassword(least.url, round), least);
      const password = await cpuOf(signIn.password);
      const sending = await cpuOf(signIn.sendCode);
      await signIn.readCode();
      const rest = sending + (await cpuOf(signIn.finish));
      if (round < WARM_UP) continue;
      costs.verify.push(bare);
      costs.least.push(atLeast);
      costs.password.push(password);
      costs.rest.push(rest);
    }
    const base = median(costs.verify);
    const baseline = `one verify ${base.toFixed(1)} ms CPU`;
    const password = costs.password.map((cpu) => cpu / base);
    const baselines = costs.least.map((cpu) => cpu / base);
    const whole = costs.password.map((cpu, round) => (cpu + (costs.rest[round] ?? 0)) / base);
    return [
      {
        id: 'S1',
        what: 'CPU of the password step / one verify',
        unit: '',
        value: median(password),
        runs: password,
        budget: 1.1,
        baseline,
      },
      {
        id: '-',
        what: 'the same of a bare server: no limits, no audit',
        unit: '',
        value: median(baselines),
        runs: baselines,
        baseline,
      },
      {
        id: 'S4',
        what: 'CPU of password, code and token / one verify',
        unit: '',
        value: median(whole),
        runs: whole,
        budget: 1.5,
        baseline,
      },
    ];
  } finally {
    await Promise.all([server.stop(), least.stop()]);
  }
}

async function givePassword(url: string, round: number): Promise<void> {
  const response = await fetch(`${url}/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `${1 + (round % ACCOUNTS.length)}@bare.test`,
      password: DEMO_PASSWORD,
    }),
  });
  const { ticket } = (await response.json()) as { ticket?: string };
  if (!ticket) throw new Error(`The bare server answered ${response.status}.`);
}

async function ownCpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
