import { useEffect, useRef, useState } from 'react';
import { fill } from '#locales/fill.ts';
import { widgets } from '#texts/widgets.ts';
import { phasesPassed } from '../../ui/countdown-phases.ts';
import { announce } from '../../ui/live-region.tsx';
import { usePreferences } from '../../ui/preferences.ts';

const MORE_TIME_BELOW_MS = 30_000;

type CountdownInput = {
  /** The end, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** Remaining milliseconds at the server's answer: the page begins with it, on both sides. */
  readonly firstMs: number;
  /** Leave out when the time cannot be extended any more. */
  readonly onMoreTime: (() => unknown) | undefined;
  /** Its time is not announced: the code reached nobody. */
  readonly isQuiet?: boolean;
};

/**
 * Returns the remaining milliseconds of a code. Each tick computes them from the deadline, so sleep and hidden tabs do
 * not distort it. In untimed mode the extension is requested automatically.
 */
export function useCountdown({
  deadline,
  firstMs,
  onMoreTime,
  isQuiet = false,
}: CountdownInput): number {
  const { untimed } = usePreferences();
  const isExtended = untimed === 'on' && onMoreTime !== undefined;
  const [remaining, setRemaining] = useState(firstMs);
  const latest = useRef({ isExtended, isQuiet });
  latest.current = { isExtended, isQuiet };
  useEffect(() => {
    let last = deadline - performance.now();
    setRemaining(last);
    const tick = () => {
      const now = deadline - performance.now();
      if (!latest.current.isQuiet) speak(last, now, latest.current.isExtended);
      last = now;
      setRemaining(now);
      if (now <= 0) clearInterval(timer);
    };
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [deadline]);

  const ask = useRef(onMoreTime);
  ask.current = onMoreTime;
  const isDue = isExtended && remaining > 0 && remaining <= MORE_TIME_BELOW_MS;
  useEffect(() => {
    // The rendered value may be older than the deadline.
    if (isDue && deadline - performance.now() <= MORE_TIME_BELOW_MS) ask.current?.();
  }, [isDue, deadline]);
  return remaining;
}

/** Announces the time at few moments only: once a second would interrupt everything else. */
function speak(before: number, now: number, isExtended: boolean): void {
  for (const seconds of phasesPassed(before, now)) {
    if (seconds === 0) announce(widgets.countdown.ranOut, 'assertive');
    else if (seconds > 30 || !isExtended) {
      announce(fill(widgets.countdown.secondsLeft, { seconds }));
    }
  }
}
