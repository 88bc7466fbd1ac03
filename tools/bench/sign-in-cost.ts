// S1 and S4: the server's CPU time for one sign-in, measured in one argon2id verify.
// CPU time and not seconds: it stays the same when the machine is busy with something else.
import { hash, verify } from '@node-rs/argon2';
import { type Figure, median } from '../figures.ts';
import { startServer } from '../server-process.ts';
import { advanceClock, DEMO_PASSWORD, prepareSignIn } from './sign-in-client.ts';

const ROUNDS = 50;
/** A server compiles its busy paths within its first minutes; what it costs from then on is what counts. */
const WARM_UP = 150;
/** Longer than the windows of the limits, which would stop one address from signing in all day. */
const BETWEEN_ROUNDS_SECONDS = 700;
const ACCOUNTS = ['member', 'top', 'admin', 'counter', 'agent', 'partner', 'intake', 'legal'];
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export async function measureSignIn(databaseUrl: string, signal: AbortSignal): Promise<Figure[]> {
  const server = await startServer({ databaseUrl });
  try {
    const stored = await hash(DEMO_PASSWORD, COST);
    const costs = { verify: [] as number[], password: [] as number[], rest: [] as number[] };
    const cpuOf = async (work: () => Promise<void>): Promise<number> => {
      const before = await server.usage();
      await work();
      return (await server.usage()).cpuMs - before.cpuMs;
    };
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      signal.throwIfAborted();
      await advanceClock(server.url, BETWEEN_ROUNDS_SECONDS);
      const account = `${ACCOUNTS[round % ACCOUNTS.length]}@demo.porchlight.test`;
      const signIn = await prepareSignIn(server.url, account);
      // Interleaved with its baseline, here in this process with nothing around it.
      const bare = await ownCpuOf(() => verify(stored, DEMO_PASSWORD));
      const password = await cpuOf(signIn.password);
      const sending = await cpuOf(signIn.sendCode);
      await signIn.readCode();
      const rest = sending + (await cpuOf(signIn.finish));
      if (round < WARM_UP) continue;
      costs.verify.push(bare);
      costs.password.push(password);
      costs.rest.push(rest);
    }
    const base = median(costs.verify);
    const baseline = `one verify ${base.toFixed(1)} ms CPU`;
    const password = costs.password.map((cpu) => cpu / base);
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
    await server.stop();
  }
}

async function ownCpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
