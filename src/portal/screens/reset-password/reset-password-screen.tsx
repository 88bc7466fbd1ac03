import { useCallback, useEffect, useState } from 'react';
import { passwords as t } from '#texts/passwords.ts';
import { ui } from '#texts/ui.ts';
import type { Problem } from '#domain/flow/state.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { Checking } from '../../flow/checking.tsx';
import { PageProblem } from '../../flow/page-problem.tsx';
import { callProblem } from '../../flow/problem-of.ts';
import { useAppContext, useView } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { useServerState, useDeferredQuery } from '../../lib/form-actions.ts';
import { offerContinue } from '../../lib/native-form.ts';
import { CLIENT_IP } from '../../lib/client-ip.ts';
import { Button } from '../../ui/button.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ResetForm, type ResetUser } from './reset-form.tsx';

/** Sets a new password by an emailed link: the key is checked before the form is shown (PWD-05..10). */
function ResetPassword() {
  const { user, problem, retry } = useResetUser();
  return (
    <>
      <PageHeading>{t.resetTitle}</PageHeading>
      {problem && (
        <>
          <PageProblem problem={problem} />
          <Button wide={false} icon="refresh-cw" onClick={retry}>
            {ui.tryAgain}
          </Button>
        </>
      )}
      {user ? <ResetForm user={user} /> : !problem && <Checking>{t.checkingLink}</Checking>}
    </>
  );
}

/**
 * Returns the person of the link's key; without one the visitor goes to 'Invalid Link' (PWD-06). An unreachable server
 * does not make the link invalid.
 */
function useResetUser() {
  const { api, go } = useAppContext();
  const { search } = useView();
  const [user, setUser] = useServerState<ResetUser | null>('user', null);
  const [problem, setProblem] = useServerState<Problem | null>('unasked', null);
  const [attempt, setAttempt] = useState(0);
  const key = new URLSearchParams(search).get('resetLinkKey') ?? '';
  const open = useCallback(
    async (isHere: () => boolean = () => true) => {
      const params = { resetKey: key || '-', ip: CLIENT_IP };
      const result = await api.call('getResetUser', { params });
      if (!isHere()) return;
      const isUnasked = result.kind === 'failed' && [0, 429, 500, 503].includes(result.status);
      setProblem(isUnasked ? unasked(callProblem(result)) : null);
      if (isUnasked) return;
      if (result.kind === 'ok' && result.data) setUser(result.data);
      else go(pathOf('invalidLink'));
    },
    [api, go, key, setUser, setProblem],
  );
  useDeferredQuery('user', open);
  useEffect(() => {
    let isHere = true;
    open(() => isHere).catch(offerContinue);
    // The key leaves the address bar before anything else is loaded or shared (security D9).
    history.replaceState(history.state, '', location.pathname);
    return () => {
      isHere = false;
    };
  }, [open, attempt]);
  return { user, problem, retry: () => setAttempt(attempt + 1) };
}

/** Returns the problem for a page without a form: the button below asks again. */
function unasked(problem: Problem): Problem {
  return problem.where === 'offline' ? { where: 'offline', canRetry: false } : problem;
}

export const screen: ScreenModule = { title: () => t.resetTitle, View: ResetPassword };
