import type { DevClock } from '../core/clock.ts';

export type TestClock = DevClock & {
  advanceMs(ms: number): void;
  /** Stands still at this very moment; what is about single milliseconds needs it. */
  pin(at: Date): void;
};

/** The machine's clock, moved or pinned by the test. */
export function createTestClock(): TestClock {
  let offsetMs = 0;
  let pinned: Date | null = null;
  const move = (ms: number) => {
    if (pinned) pinned = new Date(pinned.getTime() + ms);
    else offsetMs += ms;
  };
  return {
    now: () => new Date(pinned ?? Date.now() + offsetMs),
    advance: (seconds) => move(seconds * 1000),
    // The test says what time it is.
    follow: () => undefined,
    advanceMs: move,
    pin(at) {
      pinned = at;
    },
  };
}
