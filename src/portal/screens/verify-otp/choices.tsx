import { useEffect, useState } from 'react';
import { delivery as deliveryTexts } from '#texts/delivery.ts';
import { otp as t } from '#texts/otp.ts';
import { widgets } from '#texts/widgets.ts';
import { fill } from '#locales/fill.ts';
import type { Delivery } from '#domain/proofs/delivery.ts';
import { clockText } from '#domain/text/duration.ts';
import type { FlowState } from '#domain/flow/state.ts';
import { OTP_COUNTDOWN_MS, OTP_MEDIUM, type OtpMedium } from '#domain/proofs/otp.ts';
import { durationText } from '../../lib/time-words.ts';
import { useAction } from '../../lib/form-actions.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { CallMe, NativeCallMe, useCallPause } from './call-me.tsx';
import { CallUs, Face } from './choice-parts.tsx';
import { isLost } from './call-words.ts';
import { ChangeAddress } from './change-address.tsx';
import { failureText, timeText } from './state-text.ts';
import { TimedWords } from './timed-words.tsx';
import styles from './choices.module.css';

type ChoicesProps = {
  readonly state: Extract<FlowState, { at: 'otp' }>;
  readonly delivery: Delivery | null;
  /** The server's state, for a browser without JavaScript. */
  readonly known: Delivery | null;
  /** Remaining milliseconds of the code; 0: expired. */
  readonly remaining: number;
  readonly onResend: () => unknown;
  readonly onAsk: (medium: OtpMedium) => unknown;
  readonly onMoreTime: () => unknown;
  readonly onCall: () => unknown;
};

/** Shows the three choices of the code page, in the same place from the first byte on. */
export function Choices(props: ChoicesProps) {
  const { state, delivery, known, remaining } = props;
  const failed = delivery?.messages.find((each) => each.state === 'failed');
  const pause = useCallPause(delivery);
  const isCalling = delivery?.call?.state === 'calling' && pause > 0;
  // The help number stands in both: each closes the other.
  const [helpOpened, setHelpOpened] = useState(0);
  return (
    <section className={styles.choices} aria-label={t.choices}>
      <details
        className={styles.details}
        onToggle={({ currentTarget }) => currentTarget.open && setHelpOpened(helpOpened + 1)}
      >
        <summary className={styles.choice}>
          <Face icon="circle-question-mark" title={t.notCome}>
            {isCalling ? (
              fill(deliveryTexts.callAgainShort, { time: clockText(pause) })
            ) : (
              <NotComeLine failed={failed !== undefined} known={known} remaining={remaining} />
            )}
          </Face>
          <Icon name="chevron-down" className={styles.chevron} />
        </summary>
        <div className={styles.panel} data-help>
          <NotCome {...props} pause={pause} />
        </div>
      </details>
      <MoreTime {...props} />
      <ChangeAddress
        key={helpOpened}
        mode={state.otp.mode}
        failed={failed ? failureText(failed) : null}
      />
    </section>
  );
}

type NotComeLineProps = Pick<ChoicesProps, 'known' | 'remaining'> & { readonly failed: boolean };

function NotComeLine({ failed, known, remaining }: NotComeLineProps) {
  if (failed) return t.seeWhy;
  if (remaining <= 0) return t.whereToLook;
  return (
    <>
      <span className="script-only" role="timer" aria-live="off" suppressHydrationWarning>
        {fill(t.resendIn, { time: clockText(remaining) })}
      </span>
      <noscript>
        {import.meta.env.SSR &&
          (isLost(known) ? t.seeWhy : fill(t.resendIn, { time: durationText(remaining) }))}
      </noscript>
    </>
  );
}

/** Shows "It has not come": the reason, a new code, places to look, the help contacts. */
function NotCome({
  state,
  delivery,
  known,
  remaining,
  pause,
  onResend,
  onAsk,
  onCall,
}: ChoicesProps & { readonly pause: number }) {
  const { otp } = state;
  const isOver = remaining <= 0;
  const isSending = state.step === 'resending';
  return (
    <>
      <div className="script-only">
        <Why delivery={delivery} isSending={isSending} onAsk={onAsk} />
        {!isLost(delivery) && (
          <div className={styles.resend}>
            <Ring part={remaining / OTP_COUNTDOWN_MS} />
            <Button
              variant="secondary"
              waiting={!isOver}
              pending={isSending}
              aria-describedby="again"
              onClick={onResend}
            >
              {widgets.countdown.resend}
            </Button>
            <p id="again" suppressHydrationWarning>
              {isOver ? t.againNow : fill(t.again, { time: clockText(remaining) })}
            </p>
          </div>
        )}
      </div>
      <noscript>
        {import.meta.env.SSR && (
          <>
            <Why delivery={known} isSending={false} onAsk={onAsk} />
            {!isOver && <NativeCallMe call={known?.call} otp={otp} onCall={onCall} />}
            {!isOver && !isLost(known) && (
              <div className={styles.resend}>
                <Button variant="secondary" action="resend" onClick={onResend}>
                  {widgets.countdown.resend}
                </Button>
                <p>{fill(t.again, { time: durationText(remaining) })}</p>
              </div>
            )}
          </>
        )}
      </noscript>
      <h3>{t.lookHere}</h3>
      <ul>
        {state.otp.sentTo.email && (
          <li>
            <Icon name="mail" />
            {t.lookInMail}
          </li>
        )}
        {state.otp.sentTo.phone && (
          <li>
            <Icon name="smartphone" />
            {t.lookAtPhone}
          </li>
        )}
      </ul>
      <CallUs lead={t.callUs} />
      {/* Last: it is offered late, and moves nothing that is pressed meanwhile. */}
      {!isOver && (
        <CallMe
          call={delivery?.call}
          otp={otp}
          pause={pause}
          isCalling={state.step === 'calling'}
          onCall={onCall}
        />
      )}
    </>
  );
}

function Ring({ part }: { readonly part: number }) {
  return (
    <svg className={styles.ring} viewBox="0 0 56 56" aria-hidden="true">
      <circle cx="28" cy="28" r="24" />
      {part > 0 && (
        <circle
          cx="28"
          cy="28"
          r="24"
          pathLength="100"
          strokeDasharray={`${Math.min(100, Math.ceil(part * 100))} 100`}
          transform="rotate(-90 28 28)"
          suppressHydrationWarning
        />
      )}
    </svg>
  );
}

type WhyProps = {
  readonly delivery: Delivery | null;
  readonly isSending: boolean;
  readonly onAsk: (medium: OtpMedium) => unknown;
};

/** Shows the failure of a message, and the remaining way. */
function Why({ delivery, isSending, onAsk }: WhyProps) {
  const failed = delivery?.messages.filter(({ state }) => state === 'failed') ?? [];
  if (!delivery || failed.length === 0) return null;
  return (
    <div className={styles.why}>
      {failed.map(({ channel, reason }) => {
        const texts = channel === 'email' ? deliveryTexts.email : deliveryTexts.phone;
        const lead = channel === 'email' ? deliveryTexts.failedEmail : deliveryTexts.failedPhone;
        return (
          <p key={channel}>
            {lead} {texts[reason ?? 'unavailable']}
          </p>
        );
      })}
      {delivery.canAskNow &&
        delivery.otherWays.map((way) => (
          <Button
            key={way}
            variant="secondary"
            pending={isSending}
            action={`way:${way}`}
            onClick={() => onAsk(way)}
          >
            {way === OTP_MEDIUM.email ? deliveryTexts.byEmail : deliveryTexts.byText}
          </Button>
        ))}
    </div>
  );
}

/** Offers "I need more time": two minutes more with each press, ten in all. */
function MoreTime({ state, delivery, known, remaining, onMoreTime }: ChoicesProps) {
  const { otp, deadline, step } = state;
  // By the visitor's own clock; `null` until the page is hydrated.
  const [end, setEnd] = useState<string | null>(null);
  useEffect(() => setEnd(timeText(Date.now() + deadline - performance.now())), [deadline]);
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- a constant of each build
  if (import.meta.env.SSR) useAction('moreTime', onMoreTime);
  return (
    <button
      type="submit"
      form="action"
      name="action"
      value="moreTime"
      className={styles.choice}
      aria-disabled={step === 'extending' || undefined}
      onClick={(event) => {
        event.preventDefault();
        if (step !== 'extending') void onMoreTime();
      }}
    >
      <Face icon="clock" title={widgets.countdown.moreTime}>
        {remaining <= 0 || isLost(delivery) ? (
          t.firstAnew
        ) : otp.canExtend ? (
          <>
            <span className={end === null ? `script-only ${styles.unknown}` : 'script-only'}>
              <TimedWords
                text={fill(t.worksUntil, { time: end ?? `00:00 ${deliveryTexts.half}` })}
              />
            </span>
            <noscript>
              {import.meta.env.SSR &&
                (isLost(known) ? t.firstAnew : fill(t.worksFor, { time: durationText(remaining) }))}
            </noscript>
          </>
        ) : (
          t.noTimeLeft
        )}
      </Face>
    </button>
  );
}
