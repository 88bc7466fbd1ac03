import { useState } from 'react';
import { passwords as t } from '#texts/passwords.ts';
import { problems } from '#texts/problems.ts';
import { useAppContext } from '../../flow/app-context.ts';
import { CLIENT_IP } from '../../lib/client-ip.ts';
import { useServerState } from '../../lib/form-actions.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/show-toast.ts';
import { dismissToast } from '../../ui/toast.ts';

/** Offers 'Verify here.': fetches the person's details and a link for this browser, and opens it (PWD-04). */
export function VerifyHere({ email }: { email: string }) {
  const { api, go, leave, origin } = useAppContext();
  const [isOpening, setOpening] = useState(false);
  const [hasFailed, setFailed] = useServerState('verify', false);

  async function open(): Promise<void> {
    setOpening(true);
    setFailed(false);
    dismissToast();
    const user = await api.call('getLoginUser', { query: { emailId: email } });
    const known = user.kind === 'ok' ? user.data : null;
    const link =
      known &&
      (await api.call('createActivationLink', {
        body: {
          userRegstrtnId: known.id,
          userId: known.userId,
          signUpPlatform: known.signUpPlatform,
          createdBy: known.userId,
          clientIPAddress: CLIENT_IP,
        },
      }));
    const url = link?.kind === 'ok' ? link.data?.activationURL : null;
    const target = url ? new URL(url) : null;
    setOpening(false);
    // Only an address of our own is opened (security D20).
    if (target?.origin !== origin) {
      setFailed(true);
      showToast('warning', problems.general);
    } else if (!go(target.pathname + target.search)) leave(target.href);
  }

  return (
    <>
      {/* Without JavaScript, the form that led here is answered first. */}
      <input type="hidden" form="action" name="after" value="forgot-password" />
      <input type="hidden" form="action" name="email" value={email} />
      <Button
        variant="quiet"
        wide={false}
        pending={isOpening}
        pendingLabel={t.opening}
        action="verify"
        onClick={open}
      >
        {t.verifyHere}
      </Button>
      {hasFailed && problems.general}
    </>
  );
}
