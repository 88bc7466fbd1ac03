import { useEffect, useRef } from 'react';
import { delivery as deliveryTexts } from '#texts/delivery.ts';
import { otp as t } from '#texts/otp.ts';
import type { Delivery } from '#domain/proofs/delivery.ts';
import type { FlowState } from '#domain/flow/state.ts';
import { doorAtCode } from '#domain/looks/porch-door.ts';
import { OTP_MEDIUM, type OtpMedium } from '#domain/proofs/otp.ts';
import { useAppContext } from '../../flow/app-context.ts';
import { NOTICE, useFormActions } from '../../lib/form-actions.ts';
import { Alert } from '../../ui/alert.tsx';
import { announce } from '../../ui/live-region.tsx';
import { dismissToast } from '../../ui/toast.ts';
import { isCallComing, isLost } from './call-words.ts';
import { Choices } from './choices.tsx';
import { CodeForm } from './code-form.tsx';
import { Envelopes } from './envelopes.tsx';
import { deadOtpText, useOtpForm } from './use-otp-form.ts';
import { useTimerMarkers } from './timer-markers.ts';
import { useCountdown } from './use-countdown.ts';
import { useKnownDelivery } from './use-otp-watch.ts';

type OtpState = Extract<FlowState, { at: 'otp' }>;

type ConversationProps = {
  readonly state: OtpState;
  readonly delivery: Delivery | null;
};

/** Shows the code page: the state of the code, the boxes, and the choices when it has not come. */
export function Conversation({ state, delivery }: ConversationProps) {
  const { flow, door, reopen } = useAppContext();
  const { deadline, otp, step, problem } = state;
  const resend = useRef<HTMLButtonElement>(null);
  const { form, boxes, askFor } = useOtpForm();
  useTimerMarkers(deadline);
  const known = useKnownDelivery(otp.id);
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- a constant of each build
  const notice = import.meta.env.SSR ? useFormActions()?.kept.get(NOTICE) : null;

  const lost = isLost(delivery);
  const moreTime = async () => {
    await flow.send({ type: 'moreTimeAsked' });
    const after = flow.get();
    if (after.at !== 'otp') return;
    announce(after.deadline > deadline ? t.moreTimeGiven : t.noMoreTime);
  };
  const remaining = useCountdown({
    deadline,
    firstMs: otp.remainingMs,
    onMoreTime: otp.canExtend && !lost ? moreTime : undefined,
    isQuiet: lost,
  });
  const dead = deadOtpText(problem);
  const isOver = (remaining <= 0 && !lost) || dead !== null;
  const needsAnew = isOver || lost;
  /** For a browser without JavaScript, too. */
  const rests = needsAnew || isLost(known);
  useEffect(() => {
    if (!needsAnew) return;
    dismissToast(t.sent[otp.medium]);
    door.set(doorAtCode(0, true));
    // Only a new code helps.
    if (dead) resend.current?.focus();
  }, [needsAnew, dead, problem, door, otp.medium]);

  const onCall = async () => {
    boxes.current?.focus();
    await flow.send({ type: 'callAsked' });
    // The page that was drawn before the call knows nothing of it.
    if (import.meta.env.SSR && step === 'ready' && !problemNow(flow.get())) await reopen();
  };
  const onResend = () => askFor({ type: 'resendAsked' }, t.resent);
  const onAsk = (medium: OtpMedium) => askFor({ type: 'otherWayAsked', medium }, t.resent);
  const isSending = step === 'resending';

  return (
    <>
      <Envelopes
        otp={otp}
        delivery={delivery}
        known={known}
        over={isOver && (dead ?? true)}
        deadline={deadline}
        isSending={isSending}
        resend={resend}
        onResend={onResend}
        onAsk={onAsk}
      />
      <CodeForm
        form={form}
        state={state}
        boxes={boxes}
        hint={hintOf(otp.medium, delivery, rests)}
        isOver={rests}
        onCode={({ length }) => door.set(doorAtCode(length, needsAnew))}
        notice={typeof notice === 'string' && !problem && <Alert tone="info">{notice}</Alert>}
      />
      <Choices
        state={state}
        delivery={delivery}
        known={known}
        remaining={isOver ? 0 : remaining}
        onResend={onResend}
        onAsk={onAsk}
        onCall={onCall}
        onMoreTime={async () => {
          if (needsAnew) resend.current?.focus();
          if (otp.canExtend && !needsAnew) await moreTime();
          else announce(needsAnew ? t.firstAnew : t.noMoreTime);
        }}
      />
    </>
  );
}

const problemNow = (state: FlowState) => 'problem' in state && state.problem !== null;

/** Returns which of the two codes to enter. */
function hintOf(medium: OtpMedium, delivery: Delivery | null, rests: boolean): string {
  if (rests) return t.hintOver;
  if (isCallComing(delivery)) return deliveryTexts.hintCall;
  if (medium !== OTP_MEDIUM.both) return t.hint;
  const failed = delivery?.messages.find(({ state }) => state === 'failed');
  if (!failed) return t.hintEither;
  return failed.channel === 'email' ? t.hintText : t.hintMail;
}
