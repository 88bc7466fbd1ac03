import { useEffect, useRef, useState } from 'react';
import { pages as t } from '#texts/pages.ts';
import { fill } from '#locales/fill.ts';
import { announce } from '../../ui/live-region.tsx';
import { usePreferences } from '../../ui/preferences.ts';

const SECONDS = 5;
const SIGNS_OF_LIFE = [
  'keydown',
  'pointerdown',
  'pointermove',
  'wheel',
  'scroll',
  'focusin',
] as const;
/** The page's own focus on its title and its scroll to the top do not count as activity. */
const SETTLE_MS = 500;

/** Counts down to `leave`. Any activity stops it for good; in untimed mode it never starts. */
export function useLeaving(leave: () => void): {
  readonly secondsLeft: number | null;
  readonly stay: () => void;
} {
  const { untimed } = usePreferences();
  const [secondsLeft, setSecondsLeft] = useState<number | null>(SECONDS);
  const latest = useRef(leave);
  latest.current = leave;
  const isRunning = secondsLeft !== null && untimed === 'off';
  const stay = () => setSecondsLeft(null);

  useEffect(() => {
    if (!isRunning) return;
    announce(fill(t.unauthorizedCountdown, { seconds: SECONDS }));
    const begun = performance.now();
    const timer = setInterval(() => {
      const left = Math.ceil((begun + SECONDS * 1000 - performance.now()) / 1000);
      setSecondsLeft(Math.max(0, left));
      if (left > 0) return;
      clearInterval(timer);
      latest.current();
    }, 250);
    const stop = () => {
      if (performance.now() - begun <= SETTLE_MS) return;
      // React clears the effect later: a tick that is due before would begin the count anew.
      clearInterval(timer);
      setSecondsLeft(null);
    };
    for (const sign of SIGNS_OF_LIFE) addEventListener(sign, stop, { passive: true });
    return () => {
      clearInterval(timer);
      for (const sign of SIGNS_OF_LIFE) removeEventListener(sign, stop);
    };
  }, [isRunning]);

  return { secondsLeft: untimed === 'on' ? null : secondsLeft, stay };
}
