import { useEffect, useState } from 'react';
import type { Data } from '#contract/index.ts';
import { passwords as t } from '#locales/en/passwords.ts';
import { pathOf } from '#domain/screens.ts';
import { Checking } from '../../flow/checking.tsx';
import { useAppContext, useView } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { CLIENT_IP } from '../../lib/client-ip.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ResetForm } from './reset-form.tsx';

type ResetUser = NonNullable<Data<'getResetUser'>>;

/** A new password by an emailed link: the key is checked before anything is asked (PWD-05..10). */
function ResetPassword() {
  const user = useResetUser();
  return (
    <>
      <PageHeading>{t.resetTitle}</PageHeading>
      {user ? <ResetForm user={user} /> : <Checking>{t.checkingLink}</Checking>}
    </>
  );
}

/** The person behind the link's key; without one the visitor goes to 'Invalid Link' (PWD-06). */
function useResetUser(): ResetUser | null {
  const { api, go } = useAppContext();
  const { search } = useView();
  const [user, setUser] = useState<ResetUser | null>(null);
  const key = new URLSearchParams(search).get('resetLinkKey') ?? '';
  useEffect(() => {
    let isHere = true;
    const open = async () => {
      const params = { resetKey: key || '-', ip: CLIENT_IP };
      const result = await api.call('getResetUser', { params });
      if (!isHere) return;
      if (result.kind === 'ok' && result.data) setUser(result.data);
      else go(pathOf('invalidLink'));
    };
    void open();
    // The key leaves the address bar before anything else is loaded or shared (security D9).
    history.replaceState(history.state, '', location.pathname);
    return () => {
      isHere = false;
    };
  }, [api, go, key]);
  return user;
}

export const screen: ScreenModule = { title: () => t.resetTitle, View: ResetPassword };
