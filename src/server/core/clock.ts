/** Porchlight's own clock: every rule about time asks it (SRV-24). */
export type Clock = { now(): Date };

export type DevClock = Clock & {
  advance(seconds: number): void;
  /** Goes on from this moment by the machine's steady clock, which nobody sets. */
  follow(now: Date): void;
};

/** Less is the noise of a measurement, and no reason to run backwards. */
const NOISE_MS = 250;

/** The machine's clock until it follows another one; and moved ahead by what the demo asked for. */
export function createClock(): DevClock {
  let offsetMs = 0;
  let base: { readonly now: number; readonly steady: number } | null = null;
  const machineNow = () => (base ? base.now + performance.now() - base.steady : Date.now());
  return {
    now: () => new Date(machineNow() + offsetMs),
    advance(seconds) {
      offsetMs += seconds * 1000;
    },
    follow(now) {
      const isNoise = base && Math.abs(now.getTime() - machineNow()) < NOISE_MS;
      if (!isNoise) base = { now: now.getTime(), steady: performance.now() };
    },
  };
}

/** A moment some milliseconds after another. */
export function later(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms);
}
