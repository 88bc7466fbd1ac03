import { setTimeout as sleep } from 'node:timers/promises';

const MOST_MS = 60_000;
/** Longer than a job rests whose worker was killed. */
const LEASE_MS = 11_000;

/** Has everything sent that is due, and waits for what a dead worker still holds. */
export async function untilSent(url: string): Promise<void> {
  const settle = () =>
    fetch(new URL('/dev/leads.json', url), { signal: AbortSignal.timeout(MOST_MS) });
  await settle();
  await sleep(LEASE_MS);
  await (await settle()).arrayBuffer();
}
