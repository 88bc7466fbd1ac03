import { useEffect, useState } from 'react';
import { delivery as t } from '#texts/delivery.ts';
import { fill } from '#locales/fill.ts';
import type { CallOffer, Delivery } from '#domain/proofs/delivery.ts';
import { clockText } from '#domain/text/duration.ts';
import type { PendingOtp } from '#domain/flow/visit.ts';
import { agoText, durationText } from '../../lib/time-words.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { callText, phoneText } from './call-words.ts';
import styles from './choices.module.css';

/** Returns the milliseconds until another call may be asked for. */
export function useCallPause(delivery: Delivery | null): number {
  const againMs = delivery?.call?.againMs ?? 0;
  const [pause, setPause] = useState(0);
  useEffect(() => {
    const end = performance.now() + againMs;
    const tick = () => setPause(Math.max(0, end - performance.now()));
    tick();
    const timer = againMs > 0 ? setInterval(tick, 1000) : undefined;
    return () => clearInterval(timer);
  }, [againMs]);
  return pause;
}

type CallMeProps = {
  readonly call: CallOffer | null | undefined;
  readonly otp: PendingOtp;
  readonly pause: number;
  readonly isCalling: boolean;
  readonly onCall: () => unknown;
};

/** Offers a call that says the code (VOI-01). */
export function CallMe({ call, otp, pause, isCalling, onCall }: CallMeProps) {
  if (!call) return null;
  const again = fill(t.callAgain, { time: clockText(pause) });
  return (
    <div className={styles.resend}>
      <Icon name="phone" />
      <Button
        variant="secondary"
        waiting={pause > 0}
        pending={isCalling}
        aria-describedby="call"
        onClick={onCall}
      >
        {t.callMe}
      </Button>
      <p id="call">{pause > 0 ? again : (callText(call, otp) ?? howText(otp))}</p>
    </div>
  );
}

/** The same for a browser without JavaScript. */
export function NativeCallMe({ call, otp, onCall }: Omit<CallMeProps, 'pause' | 'isCalling'>) {
  if (!call) return null;
  const said = callText(call, otp, agoText(call.agoMs)) ?? howText(otp);
  return (
    <div className={styles.resend}>
      <Icon name="phone" />
      {call.againMs === 0 && (
        <Button variant="secondary" action="call" onClick={onCall}>
          {t.callMe}
        </Button>
      )}
      <p>{call.againMs === 0 ? said : fill(t.callAgain, { time: durationText(call.againMs) })}</p>
    </div>
  );
}

const howText = (otp: PendingOtp) => fill(t.callHow, { phone: phoneText(otp) });
