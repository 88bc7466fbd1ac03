import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Problem } from '#domain/flow/state.ts';
import { ui } from '#texts/ui.ts';
import { resubmit } from '../lib/form.ts';
import { isOffline, subscribeOnline } from '../lib/online.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';

type OfflineNoteProps = {
  /** The page's problem, if a form could not be sent. */
  readonly problem?: Problem | null;
  /** The form to send again. */
  readonly form?: string;
};

/** Shows that the browser is offline and that typed text is kept; back online, it sends an unsent form again. */
export function OfflineNote({ problem = null, form = '' }: OfflineNoteProps) {
  const box = useRef<HTMLDivElement>(null);
  const isAway = useSyncExternalStore(subscribeOnline, isOffline, () => false);
  const unsent = problem?.where === 'offline' ? problem : null;
  useEffect(() => {
    if (unsent) box.current?.focus();
  }, [unsent]);
  const text = isAway ? ui.offline : unsent && ui.backOnline;
  return (
    <div role="status">
      {text && (
        <Alert tone={isAway ? 'warning' : 'info'} focusRef={box}>
          <p>{text}</p>
          {!isAway && unsent?.canRetry && (
            <Button variant="secondary" onClick={() => resubmit(document.forms.namedItem(form))}>
              {ui.tryAgain}
            </Button>
          )}
        </Alert>
      )}
    </div>
  );
}
