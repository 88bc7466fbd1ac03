import { useEffect, useState } from 'react';
import { noScript } from '#locales/en/no-script.ts';
import { pages as t } from '#locales/en/pages.ts';
import { pathOf } from '#domain/screens.ts';
import { EMPTY_VISIT } from '#domain/visit.ts';
import { Checking } from '../../flow/checking.tsx';
import { MessagePage } from '../../flow/message-page.tsx';
import { useAppContext } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { logoutUrl } from '../../lib/identity-client.ts';
import { removeItems, getItem } from '../../lib/storage.ts';
import { Alert } from '../../ui/alert.tsx';
import { logOutParams } from './log-out-params.ts';

/** Signing out: by the address that a module sends back to, or from the portal itself (SCR-01). */
function SignOut() {
  const step = useSignOut();
  return (
    <MessagePage
      drawing="door-closed-lamp"
      title={t.signedOutTitle}
      action={{ href: pathOf('signIn'), label: t.signIn }}
    >
      {step === 'working' && <Checking withoutScript={noScript.signOut}>{t.signingOut}</Checking>}
      {step === 'failed' && (
        <Alert tone="warning" role="alert">
          {t.signOutFailed}
        </Alert>
      )}
    </MessagePage>
  );
}

function useSignOut(): 'working' | 'done' | 'failed' {
  const { api, boot, view } = useAppContext();
  const [step, setStep] = useState<'working' | 'done' | 'failed'>('working');
  useEffect(() => {
    const { search, visit } = view.get();
    const isBack = new URLSearchParams(search).get('hosted') === 'done';
    const forgetAll = () =>
      removeItems('AuthToken', 'userCred', 'exist', 'typedEmail', 'sealedCredential');
    const finish = (end: 'done' | 'failed') => {
      forgetAll();
      view.set({ ...view.get(), visit: EMPTY_VISIT });
      setStep(end);
    };
    if (isBack) return finish('done');
    const { base, clientId, endsWithApi } = boot.settings.hostedLogin;
    // It ends the session it keeps in this browser, and sends the visitor back.
    const visitHostedLogin = () =>
      location.replace(
        logoutUrl(base, clientId, `${location.origin}${pathOf('signOut')}?hosted=done`),
      );
    // Without a bearer only the hosted login can tell whose session this browser has.
    if (endsWithApi && !getItem('AuthToken')) return visitHostedLogin();
    // Only the bearer proves whose session it is; the server does not trust the values in the address.
    const params = logOutParams(search, visit.login);
    void api.call('logOut', { params }).then((result) => {
      if (result.kind === 'ok' && !endsWithApi) {
        forgetAll();
        return visitHostedLogin();
      }
      finish(result.kind === 'ok' ? 'done' : 'failed');
    });
  }, [api, boot, view]);
  return step;
}

export const screen: ScreenModule = { title: () => t.signedOutTitle, View: SignOut };
