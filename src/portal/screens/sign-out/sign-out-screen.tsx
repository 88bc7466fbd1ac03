import { useCallback, useEffect } from 'react';
import { noScript } from '#texts/no-script.ts';
import { pages as t } from '#texts/pages.ts';
import { ui } from '#texts/ui.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { EMPTY_VISIT, type VisitState } from '#domain/flow/visit.ts';
import { HelpLines } from '../../flow/help-lines.tsx';
import { Continue } from '../../flow/late.tsx';
import { MessagePage, MessageText, PorchPage } from '../../flow/message-page.tsx';
import { useAppContext, useView } from '../../flow/app-context.ts';
import { type ScreenModule, withCarriedQuery } from '../../flow/view.ts';
import { useServerState } from '../../lib/form-actions.ts';
import { logoutUrl } from '../../lib/identity-client.ts';
import { offerContinue } from '../../lib/native-form.ts';
import { failedOffline } from '../../lib/online.ts';
import { removeItems } from '../../lib/storage.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';

/** The query with which the hosted login returns. */
const DONE = '?hosted=done';
/** Stands in the query of the page alone, not of its address: the server could not sign out. */
const FAILED = 'failed';

/**
 * Returns whether all sessions have ended. The query alone proves nothing: browsers remember the address, and a link
 * may have it. A visit with a sign-in signs out (A1).
 */
const isOver = (search: string, { signIn, login }: VisitState) =>
  new URLSearchParams(search).get('hosted') === 'done' && signIn === null && login === null;

/** Signs out: by the address of a module, or from the portal itself (SCR-01). */
function SignOut() {
  const { step, signOut, tryAgain } = useSignOut();
  // Nobody pressed anything: the page became another one.
  useEffect(() => {
    if (step === 'failed') document.querySelector<HTMLElement>('h1')?.focus();
  }, [step]);
  if (step === 'working') {
    return (
      <PorchPage door="lamp" title={t.signOutTitle}>
        <p role="status" className="script-only">
          {t.signingOut}
        </p>
        <Continue label={noScript.signOut} onPress={signOut} />
      </PorchPage>
    );
  }
  if (step === 'failed') {
    return (
      <PorchPage door="ajar" title={t.signOutFailedTitle} lead={t.stillSignedIn}>
        <Button wide icon="refresh-cw" action="tryAgain" onClick={tryAgain}>
          {ui.tryAgain}
        </Button>
        <MessageText>
          <Alert tone="warning" role="alert">
            {t.signOutFailed}
          </Alert>
        </MessageText>
        <HelpLines />
      </PorchPage>
    );
  }
  return (
    <MessagePage
      door="lamp"
      title={t.signedOutTitle}
      action={{ href: pathOf('signIn'), label: t.signIn }}
    >
      <p>{t.signedOutText}</p>
    </MessagePage>
  );
}

function useSignOut() {
  const { api, boot, view, origin, leave } = useAppContext();
  const { search, visit } = useView();
  const [step, setStep] = useServerState<'working' | 'done' | 'failed'>(
    'signOut',
    isOver(search, visit) ? 'done' : 'working',
  );
  const finish = useCallback(() => {
    forgetAll();
    setStep('done');
    if (import.meta.env.SSR) return;
    // Back, a bookmark and a reload sign out; they must not show this sign-out's result.
    history.replaceState(null, '', withCarriedQuery(pathOf('signOut'), location.search));
    view.set({ ...view.get(), search: DONE, visit: EMPTY_VISIT });
  }, [setStep, view]);
  /** Query and bearer stay, for the next try. */
  const fail = useCallback(() => {
    setStep('failed');
    const params = new URLSearchParams(view.get().search);
    params.set(FAILED, '1');
    view.set({ ...view.get(), search: `?${params}` });
  }, [setStep, view]);
  const signOut = useCallback(
    async (isAgain = false) => {
      const { base, clientId, endsWithApi } = boot.settings.hostedLogin;
      const params = logOutParams(search);
      // A tenant cannot end our sessions: our own call comes first.
      if (params || !endsWithApi) {
        // Only the bearer proves the session; the server does not trust the values in the address.
        const result = await api.call('logOut', { params: params ?? NOBODY });
        const isEnded = result.kind === 'ok';
        // Without the bearer of this session only the hosted login knows it.
        const isWhole = isEnded && endsWithApi && result.data;
        // When a second try fails, too, the hosted login can end its own session, and ours with it.
        if (!isEnded && (!isAgain || failedOffline())) return fail();
        if (isWhole) return finish();
        if (isEnded) forgetAll();
      }
      // The hosted login ends its session in this browser, and sends the visitor back.
      leave(logoutUrl(base, clientId, `${origin}${pathOf('signOut')}${DONE}`));
    },
    [api, boot, search, origin, leave, finish, fail],
  );
  useEffect(() => {
    if (isOver(view.get().search, view.get().visit)) finish();
    else signOut().catch(offerContinue);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each opening
  }, []);
  const tryAgain = () => {
    setStep('working');
    return signOut(true);
  };
  return { step, signOut: () => signOut(), tryAgain };
}

/** For unknown values: the path needs every part. */
const NOBODY = { appState: '-', loggedInId: '-', roleId: '-', userId: '-' };

/** Returns the path values of the logout call, from a module's query; `null` unless it is complete (SCR-01). */
function logOutParams(search: string) {
  const query = new URLSearchParams(search);
  const [appState, loggedInId, roleId, userId] = ['appState', 'loggenInId', 'roleId', 'userId'].map(
    (name) => query.get(name),
  );
  if (query.get('success') === 'true' && appState && loggedInId && roleId && userId) {
    return { appState, loggedInId, roleId, userId };
  }
  return null;
}

function forgetAll(): void {
  removeItems('AuthToken', 'userCred', 'exist', 'typedEmail', 'sealedCredential');
}

export const screen: ScreenModule = {
  title: ({ search, visit }) => {
    if (new URLSearchParams(search).has(FAILED)) return t.signOutFailedTitle;
    return isOver(search, visit) ? t.signedOutTitle : t.signOutTitle;
  },
  View: SignOut,
};
