import { useEffect, useState } from 'react';
import { otp as t } from '#locales/en/otp.ts';
import { type Delivery, isComing } from '#domain/delivery.ts';
import { pathOf } from '#domain/screens.ts';
import type { FlowState } from '#domain/flow/state.ts';
import type { PendingOtp } from '#domain/visit.ts';
import { FormProblem } from '../../flow/form-problem.tsx';
import { useLink } from '../../flow/link.ts';
import { OfflineNote } from '../../flow/offline-note.tsx';
import { useDoor, useFlowAt, useSubtenant, useView } from '../../flow/app-context.ts';
import { draftFor, keepDraft } from '../../flow/sign-up-draft.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { BackLink } from '../../ui/link-row.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { dismissToast } from '../../ui/toast.ts';
import { keepWhole } from '../../ui/keep-whole.tsx';
import { Porch } from '../../ui/porch.tsx';
import { Step } from '../../ui/step.tsx';
import { ChangeAddress } from './change-address.tsx';
import { OtpForm } from './otp-form.tsx';
import { Envelopes } from './envelopes.tsx';
import { NoOtpHelp } from './no-otp-help.tsx';
import { useKnownDelivery, useOtpWatch } from './use-otp-watch.ts';
import styles from './delivery.module.css';

type OtpState = Extract<FlowState, { at: 'otp' }>;

const TITLE = keepWhole(t.title);

/** Code entry (OTP-01..11). */
function VerifyOtp() {
  const state = useFlowAt('otp');
  const delivery = useOtpWatch(state?.otp ?? null);
  useKeptDraft();
  const door = useDoor();
  // Without a code the server redirects; this state lasts only until the next screen is shown.
  if (!state) return <PageHeading>{TITLE}</PageHeading>;
  const { otp } = state;
  if (state.step === 'closed') {
    return (
      <>
        <WayBack otp={otp} />
        <PageHeading>{t.closedTitle}</PageHeading>
        <FormProblem problem={state.problem} />
      </>
    );
  }
  return (
    <>
      <div className={styles.top}>
        <WayBack otp={otp} />
        <Step n={2} />
        <div className={styles.door}>
          <Porch door={door} view="mini" />
        </div>
      </div>
      <PageHeading>{TITLE}</PageHeading>
      <SentNote state={state} delivery={delivery} />
      <OfflineNote problem={state.problem} form="code" />
      <OtpForm state={state} delivery={delivery} />
      {otp.mode === 'signUp' && <ChangeAddress />}
      <NoOtpHelp />
    </>
  );
}

/** After a reload only the entry in the history still has what was typed at sign-up. */
function useKeptDraft(): void {
  const { visit } = useView();
  const { id } = useSubtenant();
  useEffect(() => keepDraft(draftFor(visit, id)), [visit, id]);
}

/** OTP-06; when the code is of no use any more, nothing on the page says that it was sent. */
function SentNote({ state, delivery }: { state: OtpState; delivery: Delivery | null }) {
  const isOver = useIsOver(state);
  const isLost = delivery !== null && !isComing(delivery.messages);
  useEffect(() => {
    if (isOver || isLost) dismissToast(t.sent);
  }, [isOver, isLost]);
  const known = useKnownDelivery(state.otp.id);
  return <Envelopes otp={state.otp} delivery={delivery} known={known} isOver={isOver} />;
}

/** Whether the code that was sent is of no use any more: its time is over, or it was tried too often. */
function useIsOver({ deadline, problem }: OtpState): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const left = deadline - performance.now();
    setLate(left <= 0);
    if (left <= 0) return;
    const timer = setTimeout(() => setLate(true), left);
    return () => clearTimeout(timer);
  }, [deadline]);
  const isDead =
    problem?.where === 'field' && 'key' in problem.say && problem.say.key === 'otpDead';
  return isLate || isDead;
}

/** OTP-02: to Sign In in sign-in mode, else to Sign Up. */
function WayBack({ otp }: { otp: PendingOtp }) {
  const isSignIn = otp.mode === 'signIn';
  const link = useLink(isSignIn ? pathOf('signIn', otp.entrance) : pathOf('signUp'));
  return <BackLink {...link}>{isSignIn ? t.backToSignIn : t.backToSignUp}</BackLink>;
}

export const screen: ScreenModule = { title: () => t.title, View: VerifyOtp };
