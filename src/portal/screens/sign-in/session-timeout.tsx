import { useEffect, useState } from 'react';
import { signIn as t } from '#texts/sign-in.ts';
import { withCarriedQuery } from '../../flow/view.ts';
import { Alert } from '../../ui/alert.tsx';
import type { Dialog as DialogType } from '../../ui/dialog.tsx';

/** Shows the dialog once, and the same text above the form while the page is open (SIN-04). */
export function SessionTimeout() {
  const [Dialog, setDialog] = useState<typeof DialogType | null>(null);
  useEffect(() => {
    // A reload must not show it again.
    history.replaceState(history.state, '', withCarriedQuery(location.pathname, location.search));
    import('../../ui/dialog.tsx').then(
      (module) => setDialog(() => module.Dialog),
      // The text above the form is there without it.
      () => undefined,
    );
  }, []);
  return (
    <>
      <Alert tone="info" title={t.timeoutTitle}>
        {t.timeoutText}
      </Alert>
      {Dialog && (
        <Dialog
          title={t.timeoutTitle}
          action={t.timeoutOk}
          onClose={() => {
            setDialog(null);
            focusFirstEmpty();
          }}
        >
          {t.timeoutText}
        </Dialog>
      )}
    </>
  );
}

function focusFirstEmpty() {
  const email = document.querySelector<HTMLInputElement>('#email');
  (email?.value ? document.querySelector<HTMLInputElement>('#password') : email)?.focus();
}
