import { useEffect, useState } from 'react';
import { noScript } from '#locales/en/no-script.ts';
import { pages as t } from '#locales/en/pages.ts';
import { pathOf } from '#domain/screens.ts';
import { EMPTY_VISIT } from '#domain/visit.ts';
import { MessagePage, PorchPage } from '../../flow/message-page.tsx';
import { type AppContextValue, useAppContext, useView } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { logoutUrl } from '../../lib/identity-client.ts';
import { removeItems, getItem } from '../../lib/storage.ts';
import { Alert } from '../../ui/alert.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { logOutParams, NOBODY } from './log-out-params.ts';

/** Where the hosted login sends back to: everything has ended. */
const DONE = '?hosted=done';
const isDone = (search: string) => new URLSearchParams(search).get('hosted') === 'done';

/** Signing out: by the address that a module sends back to, or from the portal itself (SCR-01). */
function SignOut() {
  const step = useSignOut();
  if (step === 'working') {
    return (
      <PorchPage door="lamp">
        <PageHeading>{t.signOutTitle}</PageHeading>
        <p role="status" className="script-only">
          {t.signingOut}
        </p>
        <noscript>{import.meta.env.SSR && <HostedSignOut />}</noscript>
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

/** The hosted login ends what it keeps in this browser, and sends the visitor back. */
function addressOfSignOut({ boot, origin }: Pick<AppContextValue, 'boot' | 'origin'>): string {
  const { base, clientId } = boot.settings.hostedLogin;
  return logoutUrl(base, clientId, `${origin}${pathOf('signOut')}${DONE}`);
}

function HostedSignOut() {
  return (
    <a href={addressOfSignOut(useAppContext())} className={buttonClass('primary', false)}>
      {noScript.signOut}
    </a>
  );
}

function useSignOut(): 'working' | 'done' | 'failed' {
  const context = useAppContext();
  const { api, boot, view } = context;
  const { search } = useView();
  const [step, setStep] = useState<'working' | 'done' | 'failed'>(
    isDone(search) ? 'done' : 'working',
  );
  useEffect(() => {
    const forgetAll = () =>
      removeItems('AuthToken', 'userCred', 'exist', 'typedEmail', 'sealedCredential');
    const finish = (end: 'done' | 'failed') => {
      forgetAll();
      view.set({ ...view.get(), search: DONE, visit: EMPTY_VISIT });
      setStep(end);
    };
    const asked = view.get().search;
    if (isDone(asked)) return finish('done');
    const { endsWithApi } = boot.settings.hostedLogin;
    const visitHostedLogin = () => {
      forgetAll();
      location.replace(addressOfSignOut(context));
    };
    const params = logOutParams(asked);
    // A tenant cannot end what we keep: there our own call comes first.
    if (!params && endsWithApi) return visitHostedLogin();
    // Without a bearer only the hosted login can tell whose session this browser has.
    const isWhole = endsWithApi && getItem('AuthToken') !== null;
    // Only the bearer proves whose session it is; the server does not trust the values in the address.
    void api.call('logOut', { params: params ?? NOBODY }).then((result) => {
      if (result.kind !== 'ok') finish('failed');
      else if (isWhole) finish('done');
      else visitHostedLogin();
    });
  }, [api, boot, view, context]);
  return step;
}

export const screen: ScreenModule = {
  title: ({ search }) => (isDone(search) ? t.signedOutTitle : t.signOutTitle),
  View: SignOut,
};
