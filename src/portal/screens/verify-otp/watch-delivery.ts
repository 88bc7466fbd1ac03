import type { Data } from '#contract/index.ts';

export type Delivery = NonNullable<Data<'getDelivery'>>;

type Input = {
  /** `null`: no answer this time. */
  readonly ask: () => Promise<{ readonly data: Delivery | null } | null>;
  readonly codeId: string;
  readonly onNews: (delivery: Delivery) => void;
};

/** Waits before each question; the last one counts for all that follow. */
const WAITS_MS = [1500, 2500, 4000, 6000, 8000, 10_000];
/** A code lives for ten minutes at most. */
const LONGEST_MS = 600_000;

/**
 * Asks now and then what became of a code, as long as there may be news and somebody looks at the page.
 * Returns what ends it.
 */
export function watchDelivery({ ask, codeId, onNews }: Input): () => void {
  const end = performance.now() + LONGEST_MS;
  let asked = 0;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisible);
  }

  function wait(ms: number): void {
    clearTimeout(timer);
    if (performance.now() > end) stop();
    else if (!isOver && !document.hidden) timer = setTimeout(() => void look(), ms);
  }

  async function look(): Promise<void> {
    const pause = WAITS_MS[Math.min((asked += 1), WAITS_MS.length - 1)] ?? 0;
    const answer = await ask();
    if (isOver) return;
    if (!answer) return wait(pause);
    const { data } = answer;
    // Used, or replaced by a newer one, which is watched for itself.
    if (data?.id !== codeId) return stop();
    onNews(data);
    const next = nextLook(data, pause);
    if (next === null) stop();
    else wait(next);
  }

  function onVisible(): void {
    if (document.hidden) clearTimeout(timer);
    else wait(0);
  }

  document.addEventListener('visibilitychange', onVisible);
  wait(WAITS_MS[0] ?? 0);
  return stop;
}

/** When there may be something new, in milliseconds; `null`: never. */
export function nextLook(delivery: Delivery, pause: number): number | null {
  const { messages, otherWays, canAskNow, remainingMs } = delivery;
  if (remainingMs === 0) return null;
  const isOpen = messages.some(
    ({ state, waitsForReceipt }) => state === 'queued' || (state === 'sent' && waitsForReceipt),
  );
  if (isOpen) return pause;
  // Another way opens when the time is up.
  return otherWays.length > 0 && !canAskNow ? remainingMs + 500 : null;
}
