import { useEffect, useRef, useState } from 'react';
import { clockText } from '#domain/duration.ts';
import { fill } from '#locales/fill.ts';
import { widgets } from '#locales/en/widgets.ts';
import { durationText } from '../lib/time-words.ts';
import { Button } from './button.tsx';
import { announce } from './live-region.tsx';
import { usePreferences } from './preferences.ts';
import { phasesPassed } from './countdown-phases.ts';
import styles from './countdown.module.css';

const CIRCLE = 144.5;
const MORE_TIME_BELOW_MS = 30_000;

type CountdownProps = {
  /** The end, on the clock of `performance.now()`; `null` on the server, which has no such clock. */
  deadline: number | null;
  totalMs: number;
  onExpire?: () => void;
  onResend: () => unknown;
  isResending?: boolean;
  /** A problem that only a new code solves: the focus goes to that button as soon as it can be pressed. */
  resendWanted?: object | null;
  /** Leave out when the time cannot be extended any more. */
  onMoreTime?: (() => unknown) | undefined;
};

/** How long a code is valid. Each tick derives the rest from the deadline, so sleep and hidden tabs do not distort it. */
export function Countdown({
  deadline,
  totalMs,
  onExpire,
  onResend,
  isResending = false,
  resendWanted = null,
  onMoreTime,
}: CountdownProps) {
  const { untimed } = usePreferences();
  const isExtended = untimed === 'on' && onMoreTime !== undefined;
  const remaining = useRemaining(deadline, totalMs, { onExpire, isExtended });
  const hasRunOut = remaining <= 0;
  const isLow = !hasRunOut && remaining <= MORE_TIME_BELOW_MS;
  useMoreTimeByItself(isLow && isExtended, deadline, onMoreTime);
  const resend = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (resendWanted && hasRunOut) resend.current?.focus();
  }, [resendWanted, hasRunOut]);
  const [before, after] = widgets.countdown.askAgainIn.split('{time}');
  return (
    <div className={styles.timer}>
      <svg className={`script-only ${styles.ring}`} viewBox="0 0 56 56" aria-hidden="true">
        <circle cx="28" cy="28" r="23" />
        {!hasRunOut && (
          <circle
            className={styles.left}
            cx="28"
            cy="28"
            r="23"
            strokeDasharray={CIRCLE}
            strokeDashoffset={(CIRCLE * (1 - Math.min(1, remaining / totalMs))).toFixed(1)}
            transform="rotate(-90 28 28)"
          />
        )}
      </svg>
      <p className={`script-only ${styles.text}`} role="timer" aria-live="off">
        {hasRunOut ? (
          widgets.countdown.ranOut
        ) : (
          <>
            {before}
            <b>{clockText(remaining)}</b>
            {after}
          </>
        )}
      </p>
      <noscript>
        {import.meta.env.SSR && (
          <Still deadline={deadline} onResend={onResend} onMoreTime={onMoreTime} />
        )}
      </noscript>
      <div className={`script-only ${styles.actions}`}>
        {onMoreTime && isLow && (
          <Button variant="secondary" icon="clock" onClick={onMoreTime}>
            {widgets.countdown.moreTime}
          </Button>
        )}
        <Button
          ref={resend}
          variant={hasRunOut ? 'primary' : 'secondary'}
          wide={false}
          icon="refresh-cw"
          disabled={!hasRunOut}
          pending={isResending}
          onClick={onResend}
        >
          {widgets.countdown.resend}
        </Button>
      </div>
    </div>
  );
}

/** Where no script runs: the time as of the page's drawing, in words, and the same buttons. */
function Still({
  deadline,
  onResend,
  onMoreTime,
}: Pick<CountdownProps, 'deadline' | 'onResend' | 'onMoreTime'>) {
  const [left] = useState(() => (deadline ?? 0) - performance.now());
  const hasRunOut = left <= 0;
  return (
    <>
      <p className={styles.text}>
        {hasRunOut
          ? widgets.countdown.ranOut
          : fill(widgets.countdown.askAgainIn, { time: durationText(left) })}
      </p>
      <div className={styles.actions}>
        {onMoreTime && (
          <Button variant="secondary" icon="clock" action="moreTime" onClick={onMoreTime}>
            {widgets.countdown.moreTime}
          </Button>
        )}
        <Button
          variant={hasRunOut ? 'primary' : 'secondary'}
          wide={false}
          icon="refresh-cw"
          action="resend"
          onClick={onResend}
        >
          {widgets.countdown.resend}
        </Button>
      </div>
    </>
  );
}

type Moments = {
  onExpire: (() => void) | undefined;
  /** Untimed mode: more time is added by itself. */
  isExtended: boolean;
};

/** In untimed mode it asks for more time, also where the page hydrates, or the mode begins, in the last seconds. */
function useMoreTimeByItself(
  isDue: boolean,
  deadline: number | null,
  onMoreTime: (() => void) | undefined,
): void {
  const ask = useRef(onMoreTime);
  ask.current = onMoreTime;
  useEffect(() => {
    // What is on show may be older than the end that it counts to.
    const isLate = deadline !== null && deadline - performance.now() <= MORE_TIME_BELOW_MS;
    if (isDue && isLate) ask.current?.();
  }, [isDue, deadline]);
}

function useRemaining(deadline: number | null, totalMs: number, moments: Moments): number {
  const [remaining, setRemaining] = useState(totalMs);
  const latest = useRef(moments);
  latest.current = moments;
  useEffect(() => {
    if (deadline === null) return;
    let last = deadline - performance.now();
    setRemaining(last);
    const tick = () => {
      const now = deadline - performance.now();
      speak(last, now, latest.current);
      last = now;
      setRemaining(now);
      if (now <= 0) clearInterval(timer);
    };
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [deadline, totalMs]);
  return remaining;
}

/** Announces the time at few moments only: once a second would interrupt everything else. */
function speak(before: number, now: number, { onExpire, isExtended }: Moments): void {
  for (const seconds of phasesPassed(before, now)) {
    if (seconds === 0) {
      announce(widgets.countdown.ranOut, 'assertive');
      onExpire?.();
    } else if (seconds > 30 || !isExtended) {
      announce(fill(widgets.countdown.secondsLeft, { seconds }));
    }
  }
}
