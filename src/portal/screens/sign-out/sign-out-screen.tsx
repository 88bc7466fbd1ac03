import { useCallback, useEffect } from 'react';
import { noScript } from '#texts/no-script.ts';
import { pages as t } from '#texts/pages.ts';
import { pathOf } from '#domain/screens.ts';
import { EMPTY_VISIT, type VisitState } from '#domain/visit.ts';
import { Continue } from '../../flow/late.tsx';
import { MessagePage, PorchPage } from '../../flow/message-page.tsx';
import { useAppContext, useView } from '../../flow/app-context.ts';
import { type ScreenModule, withCarriedQuery } from '../../flow/view.ts';
import { useServerState } from '../../lib/form-actions.ts';
import { logoutUrl } from '../../lib/identity-client.ts';
import { offerContinue } from '../../lib/native-form.ts';
import { removeItems, getItem } from '../../lib/storage.ts';
import { Alert } from '../../ui/alert.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { logOutParams, NOBODY } from './log-out-params.ts';

/** The query with which the hosted login returns. */
const DONE = '?hosted=done';

/**
 * Returns whether all sessions have ended. The query alone proves nothing: browsers remember the address, and a link
 * may have it. A visit with a sign-in signs out (A1).
 */
const isOver = (search: string, { signIn, login }: VisitState) =>
  new URLSearchParams(search).get('hosted') === 'done' && signIn === null && login === null;

/** Signs out: by the address of a module, or from the portal itself (SCR-01). */
function SignOut() {
  const { step, signOut } = useSignOut();
  if (step === 'working') {
    return (
      <PorchPage door="lamp">
        <PageHeading>{t.signOutTitle}</PageHeading>
        <p role="status" className="script-only">
          {t.signingOut}
        </p>
        <Continue label={noScript.signOut} onPress={signOut} />
      </PorchPage>
    );
  }
  return (
    <MessagePage
      door="lamp"
      title={t.signedOutTitle}
      action={{ href: pathOf('signIn'), label: t.signIn }}
    >
      {step === 'done' && <p>{t.signedOutText}</p>}
      {step === 'failed' && (
        <Alert tone="warning" role="alert">
          {t.signOutFailed}
        </Alert>
      )}
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
  const finish = useCallback(
    (end: 'done' | 'failed') => {
      forgetAll();
      setStep(end);
      if (import.meta.env.SSR) return;
      // Back, a bookmark and a reload sign out; they must not show this sign-out's result.
      history.replaceState(null, '', withCarriedQuery(pathOf('signOut'), location.search));
      view.set({ ...view.get(), search: DONE, visit: EMPTY_VISIT });
    },
    [setStep, view],
  );
  const signOut = useCallback(async () => {
    const { base, clientId, endsWithApi } = boot.settings.hostedLogin;
    const params = logOutParams(search);
    // Without a bearer only the hosted login knows the session of this browser.
    const isWhole = endsWithApi && getItem('AuthToken') !== null;
    // A tenant cannot end our sessions: our own call comes first.
    if (params || !endsWithApi) {
      // Only the bearer proves the session; the server does not trust the values in the address.
      const result = await api.call('logOut', { params: params ?? NOBODY });
      if (result.kind !== 'ok') return finish('failed');
      if (isWhole) return finish('done');
    }
    forgetAll();
    // The hosted login ends its session in this browser, and sends the visitor back.
    leave(logoutUrl(base, clientId, `${origin}${pathOf('signOut')}${DONE}`));
  }, [api, boot, search, origin, leave, finish]);
  useEffect(() => {
    if (isOver(view.get().search, view.get().visit)) finish('done');
    else signOut().catch(offerContinue);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each opening
  }, []);
  return { step, signOut };
}

function forgetAll(): void {
  removeItems('AuthToken', 'userCred', 'exist', 'typedEmail', 'sealedCredential');
}

export const screen: ScreenModule = {
  title: ({ search, visit }) => (isOver(search, visit) ? t.signedOutTitle : t.signOutTitle),
  View: SignOut,
};
