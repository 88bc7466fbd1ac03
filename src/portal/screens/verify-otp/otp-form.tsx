import { useEffect, useRef } from 'react';
import { otp as t } from '#locales/en/otp.ts';
import type { Delivery } from '#domain/delivery.ts';
import type { FlowEvent, FlowState, Problem } from '#domain/flow/state.ts';
import { doorAtCode } from '#domain/door.ts';
import { OTP_COUNTDOWN_MS, type OtpMedium } from '#domain/otp.ts';
import { StillWorking } from '../../flow/late.tsx';
import { fieldProblem, FormProblem } from '../../flow/form-problem.tsx';
import { HelpLines } from '../../flow/help-lines.tsx';
import { useAppContext } from '../../flow/app-context.ts';
import { sayText } from '../../flow/say.ts';
import { useAnswering } from '../../lib/answering.ts';
import { NOTICE } from '../../lib/notice.ts';
import { useForm } from '../../lib/form.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { announce } from '../../ui/live-region.tsx';
import { OtpBoxes, type OtpBoxesHandle } from '../../ui/otp-boxes.tsx';
import { DeliveryHelp } from './delivery-help.tsx';
import { useTimerMarkers } from './timer-markers.ts';
import { useKnownDelivery } from './use-otp-watch.ts';

type NewCodeEvent = Extract<FlowEvent, { type: 'resendAsked' | 'otherWayAsked' }>;
type OtpState = Extract<FlowState, { at: 'otp' }>;

type OtpFormProps = {
  state: OtpState;
  delivery: Delivery | null;
};

export function OtpForm({ state, delivery }: OtpFormProps) {
  const { flow, door } = useAppContext();
  const { deadline, otp, step, problem } = state;
  const boxes = useRef<OtpBoxesHandle>(null);
  useEffect(() => boxes.current?.focus(), []);
  useTimerMarkers(deadline);
  const form = useOtpForm();
  const known = useKnownDelivery(otp.id);
  const lost = deadOtpText(problem);
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- a constant of each build
  const notice = import.meta.env.SSR ? useAnswering()?.kept.get(NOTICE) : null;

  const askFor = async (event: NewCodeEvent) => {
    // Before the focused button is disabled or removed.
    boxes.current?.focus();
    await flow.send(event);
    const after = flow.get();
    if (after.at !== 'otp' || after.problem) return;
    boxes.current?.clear();
    door.set(doorAtCode(0));
    form.showProblems({});
    announce(t.resent);
  };
  const askOtherWay = (medium: OtpMedium) => askFor({ type: 'otherWayAsked', medium });
  const moreTime = async () => {
    await flow.send({ type: 'moreTimeAsked' });
    const after = flow.get();
    if (after.at !== 'otp') return;
    announce(after.deadline > deadline ? t.moreTimeGiven : t.noMoreTime);
  };

  return (
    <form {...form.props}>
      <FormProblem problem={problem} />
      {typeof notice === 'string' && !problem && <Alert tone="info">{notice}</Alert>}
      <OtpBoxes
        ref={boxes}
        name="otp"
        legend={t.legend}
        hint={otp.sentTo.email && otp.sentTo.phone ? t.hintEither : t.hint}
        error={form.problems.otp ?? lost}
        onCode={({ length }) => door.set(doorAtCode(length))}
      />
      <Button type="submit" pending={form.isPending} pendingLabel={t.pending}>
        {t.submit}
      </Button>
      <StillWorking form={form} />
      {problem?.where === 'field' && (
        <p>
          <HelpLines />
        </p>
      )}
      <Countdown
        deadline={deadline}
        totalMs={OTP_COUNTDOWN_MS}
        isResending={step === 'resending'}
        resendWanted={lost ? problem : null}
        onResend={() => askFor({ type: 'resendAsked' })}
        onMoreTime={otp.canExtend ? moreTime : undefined}
      />
      {delivery && (
        <DeliveryHelp
          delivery={delivery}
          medium={otp.medium}
          isSending={step === 'resending'}
          onAsk={askOtherWay}
        />
      )}
      <noscript>
        {import.meta.env.SSR && known && (
          <DeliveryHelp
            delivery={known}
            medium={otp.medium}
            isSending={false}
            onAsk={askOtherWay}
          />
        )}
      </noscript>
    </form>
  );
}

/** The text where only a new code helps: this one expired, or was tried too often. */
function deadOtpText(problem: Problem | null): string | null {
  if (problem?.where !== 'field' || !('key' in problem.say)) return null;
  const isLost = problem.say.key === 'otpExpired' || problem.say.key === 'otpDead';
  return isLost ? sayText(problem.say) : null;
}

function useOtpForm() {
  const { flow, door } = useAppContext();
  return useForm<'otp'>({
    id: 'code',
    async onSubmit(values) {
      announce(t.pendingSpoken);
      await flow.send({ type: 'otpSubmitted', digits: values.text('otp') });
      const after = flow.get();
      if (after.at !== 'otp') return {};
      if (after.problem) door.set(doorAtCode(0));
      const lost = deadOtpText(after.problem);
      // The focus goes to the way to a new code, not to the boxes, so the reason has to be said.
      if (lost) announce(lost, 'assertive');
      return lost ? {} : fieldProblem(after.problem);
    },
  });
}
