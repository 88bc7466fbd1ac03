/** Porchlight's own clock: every rule about time asks it (SRV-24). */
export type Clock = { now(): Date };

export type DevClock = Clock & { advance(seconds: number): void };

/** The machine's clock, moved ahead by what the demo asked for. */
export function createClock(): DevClock {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    advance(seconds) {
      offsetMs += seconds * 1000;
    },
  };
}

/** A moment some milliseconds after another. */
export function later(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms);
}
