import { useEffect } from 'react';
import { otp as t } from '#texts/otp.ts';
import { OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { PendingOtp } from '#domain/flow/visit.ts';
import { FormProblem } from '../../flow/form-problem.tsx';
import { useLink } from '../../flow/link.ts';
import { OfflineNote } from '../../flow/offline-note.tsx';
import { useDoor, useFlowAt, useSubtenant, useView } from '../../flow/app-context.ts';
import { signUpDraft, keepDraft } from '../../flow/sign-up-draft.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { buttonClass } from '../../ui/button.tsx';
import { BackLink } from '../../ui/link-row.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { keepWhole } from '../../ui/keep-whole.tsx';
import { Porch } from '../../ui/porch.tsx';
import { Step } from '../../flow/step-line.tsx';
import { AppConversation } from './app-conversation.tsx';
import { Conversation } from './conversation.tsx';
import { useOtpWatch } from './use-otp-watch.ts';
import styles from './verify-otp.module.css';

const TITLE = keepWhole(t.title);

/** Asks for the code (OTP-01..11). */
function VerifyOtp() {
  const state = useFlowAt('otp');
  const isOfApp = state?.otp.medium === OTP_MEDIUM.app;
  const delivery = useOtpWatch(isOfApp ? null : (state?.otp ?? null), state?.calls ?? 0);
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
        <FormProblem problem={state.problem}>
          {state.problem?.where === 'form' && state.problem.canRetry && <ToNewest />}
        </FormProblem>
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
      <OfflineNote problem={state.problem} form="code" />
      {isOfApp ? (
        <AppConversation state={state} />
      ) : (
        <Conversation state={state} delivery={delivery} />
      )}
    </>
  );
}

/** Leads to where this browser is now. A page load: this page knows the ended sign-in alone. */
function ToNewest() {
  const { href } = useLink(pathOf('verifyOtp'));
  return (
    <p>
      <a href={href} className={buttonClass('secondary')}>
        {t.toNewest}
      </a>
    </p>
  );
}

/** After a reload only the history entry still has the input of the sign-up. */
function useKeptDraft(): void {
  const { visit } = useView();
  const { id } = useSubtenant();
  useEffect(() => keepDraft(signUpDraft(visit, id)), [visit, id]);
}

/** Returns to Sign In in sign-in mode, else to Sign Up (OTP-02). */
function WayBack({ otp }: { otp: PendingOtp }) {
  const isSignIn = otp.mode === 'signIn';
  const link = useLink(isSignIn ? pathOf('signIn', otp.entrance) : pathOf('signUp'));
  return <BackLink {...link}>{isSignIn ? t.backToSignIn : t.backToSignUp}</BackLink>;
}

export const screen: ScreenModule = { title: () => t.title, View: VerifyOtp };
