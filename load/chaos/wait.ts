import { setTimeout as sleep } from 'node:timers/promises';

/** 0: no answer. */
export async function readyStatus(port: number): Promise<number> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health/ready`);
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

/** @returns whether it came to be in time */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  mostMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + mostMs;
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    if (await isSo()) return true;
    await sleep(20);
  }
  return false;
}
