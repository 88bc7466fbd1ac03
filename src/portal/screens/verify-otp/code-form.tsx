import { useEffect, useRef } from 'react';
import { code as texts } from '#messages/en/code.ts';
import { ui } from '#messages/en/ui.ts';
import type { FlowState } from '#domain/flow/state.ts';
import { OTP_COUNTDOWN_MS } from '#domain/otp.ts';
import { fieldProblem, FormProblem } from '../../flow/form-problem.tsx';
import { usePortal } from '../../flow/portal.ts';
import { useForm } from '../../lib/form.ts';
import { Button } from '../../ui/button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { announce } from '../../ui/live-region.tsx';
import { OtpBoxes, type OtpBoxesHandle } from '../../ui/otp-boxes.tsx';
import { useTimerMarkers } from './timer-markers.ts';

type CodeState = Extract<FlowState, { at: 'code' }>;

export function CodeForm({ state }: { state: CodeState }) {
  const { flow } = usePortal();
  const { deadline, code, step, problem } = state;
  const boxes = useRef<OtpBoxesHandle>(null);
  const timer = useRef<HTMLDivElement>(null);
  useEffect(() => boxes.current?.focus(), []);
  useTimerMarkers(deadline);
  const form = useCodeForm(boxes, timer);

  const resend = async () => {
    // Before the button is switched off under the focus.
    boxes.current?.focus();
    await flow.send({ type: 'resendAsked' });
    const after = flow.get();
    if (after.at !== 'code' || after.problem) return;
    boxes.current?.clear();
    form.showProblems({});
    announce(texts.resent);
  };
  const moreTime = async () => {
    await flow.send({ type: 'moreTimeAsked' });
    const after = flow.get();
    if (after.at !== 'code') return;
    announce(after.deadline > deadline ? texts.moreTimeGiven : texts.noMoreTime);
  };

  return (
    <form {...form.props}>
      <FormProblem problem={problem} />
      <OtpBoxes
        ref={boxes}
        name="otp"
        legend={texts.legend}
        hint={texts.hint}
        error={form.problems.otp}
      />
      <Button type="submit" pending={form.isPending} pendingLabel={texts.pending}>
        {texts.submit}
      </Button>
      {form.isSlow && <p>{ui.stillWorking}</p>}
      <div ref={timer}>
        <Countdown
          deadline={deadline}
          totalMs={OTP_COUNTDOWN_MS}
          isResending={step === 'resending'}
          onResend={() => void resend()}
          onMoreTime={code.canExtend ? () => void moreTime() : undefined}
        />
      </div>
    </form>
  );
}

function useCodeForm(
  boxes: { readonly current: OtpBoxesHandle | null },
  timer: { readonly current: HTMLDivElement | null },
) {
  const { flow } = usePortal();
  return useForm<'otp'>({
    id: 'code',
    async onSubmit(values) {
      announce(texts.pendingSpoken);
      await flow.send({ type: 'codeSubmitted', digits: values.text('otp') });
      const after = flow.get();
      if (after.at !== 'code') return;
      const isOver = after.deadline <= performance.now();
      // After the marks are drawn: an expired code needs the button, a wrong one the boxes.
      setTimeout(() => {
        if (isOver) timer.current?.querySelector<HTMLElement>('button:last-of-type')?.focus();
        else boxes.current?.focus();
      });
      return fieldProblem(after.problem);
    },
  });
}
