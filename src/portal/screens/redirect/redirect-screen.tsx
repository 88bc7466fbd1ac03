import { useEffect, useState } from 'react';
import { redirect as t } from '#texts/redirect.ts';
import { ui } from '#texts/ui.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { FlowState, Problem } from '#domain/flow/state.ts';
import { Continue } from '../../flow/late.tsx';
import { PageProblem } from '../../flow/page-problem.tsx';
import { PorchPage } from '../../flow/message-page.tsx';
import { useAppContext, useDoor, useFlowAt, useView } from '../../flow/app-context.ts';
import { useLink } from '../../flow/link.ts';
import { sayText } from '../../flow/say.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { announce } from '../../ui/live-region.tsx';
import { ProgressList, type ProgressRow } from '../../ui/progress-list.tsx';
import { PrivacyHelp } from './privacy-help.tsx';
import styles from './redirect.module.css';

type RedirectState = Extract<FlowState, { at: 'redirect' }>;

/** Shows the processing screen after the password and after the code (RED-01..05). */
function Redirect() {
  const state = useFlowAt('redirect');
  const door = useDoor();
  const { flow } = useAppContext();
  const problem = state?.problem ?? null;
  const goOn = () => state && flow.send({ type: 'redirectOpened', ...state });
  const [isHelpHidden, setHelpHidden] = useState(false);
  const hideHelp = () => {
    setHelpHidden(true);
    // The pressed button disappears with the help; the focus must not.
    document.querySelector('h1')?.focus();
  };
  useSpoken(state);
  useTitle(problem !== null);
  return (
    <PorchPage door={problem ? 'ajar' : door} title={problem ? t.failedTitle : t.title}>
      {problem?.where === 'privacy' && !isHelpHidden && (
        <PrivacyHelp variant={problem.help} onHide={hideHelp} />
      )}
      <PageProblem problem={problem} />
      {problem && problem.where !== 'privacy' && <WaysOn problem={problem} />}
      <ProgressList rows={progressRows(state)} />
      {!problem && <Continue onPress={goOn} isDue={isRepeating(state) || undefined} />}
      {problem?.where === 'privacy' && isHelpHidden && <WaysOn problem={null} />}
    </PorchPage>
  );
}

/** Shows the links of this screen, for a sign-in that has stopped. */
function WaysOn({ problem }: { problem: Problem | null }) {
  const { reopen } = useAppContext();
  const { entrance } = useView();
  const signIn = useLink(pathOf('signIn', entrance));
  const universal = useLink(pathOf('redirect'));
  const key = problem?.where === 'form' && 'key' in problem.say ? problem.say.key : null;
  const canRetry = problem?.where !== 'form' || problem.canRetry;
  return (
    <div className={styles.ways}>
      {key === 'notStaff' ? (
        <a {...universal} className={buttonClass('primary', false)}>
          {t.universalLogin}
        </a>
      ) : (
        <>
          {canRetry && (
            <Button wide={false} icon="refresh-cw" onClick={() => void reopen()}>
              {ui.tryAgain}
            </Button>
          )}
          <a {...signIn} className={buttonClass('secondary', false)}>
            {t.backToSignIn}
          </a>
        </>
      )}
    </div>
  );
}

function isNotStaff(problem: Problem): boolean {
  return problem.where === 'form' && 'key' in problem.say && problem.say.key === 'notStaff';
}

const isRepeating = (state: RedirectState | null): boolean =>
  state?.isRepeated === true && !state.session && !state.problem;

/** Changes the window's title after a failure. */
function useTitle(hasFailed: boolean): void {
  useEffect(() => {
    if (!hasFailed) return;
    document.title = document.title.replace(t.title, t.failedTitle);
    return () => {
      document.title = document.title.replace(t.failedTitle, t.title);
    };
  }, [hasFailed]);
}

function progressRows(state: RedirectState | null): readonly ProgressRow[] {
  const shown = state?.shown ?? 0;
  const now = state?.problem ? 'failed' : 'active';
  const rows = t.steps.map((label, index): ProgressRow => {
    if (index < shown) return { label, state: 'done' };
    return { label, state: index === shown ? now : 'waiting' };
  });
  // The last text reports success, which is true for a person at the wrong entry point, too.
  if (state?.problem && shown === rows.length - 1) {
    return isNotStaff(state.problem)
      ? rows.map(({ label }): ProgressRow => ({ label, state: 'done' }))
      : rows.slice(0, -1);
  }
  if (!state?.isSendingOtp) return rows;
  return [...rows.slice(0, shown + 1), { label: t.sendingOtp, state: now }];
}

/** Announces only the first text and the last, or the failure: five in a row would interrupt each other (RED-01). */
function useSpoken(state: RedirectState | null): void {
  const problem = state?.problem;
  const failure = problem?.where === 'form' ? sayText(problem.say) : null;
  const isLast = state?.shown === t.steps.length - 1;
  const isDue = isRepeating(state);
  useEffect(() => announce(t.title), []);
  useEffect(() => {
    if (isDue) announce(ui.late);
  }, [isDue]);
  useEffect(() => {
    if (isLast && !failure) announce(t.steps[t.steps.length - 1] ?? '');
  }, [isLast, failure]);
}

export const screen: ScreenModule = { title: () => t.title, View: Redirect };
