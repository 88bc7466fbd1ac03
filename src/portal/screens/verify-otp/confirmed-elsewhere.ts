import { useEffect } from 'react';
import type { PendingCode } from '#domain/visit.ts';
import { usePortal } from '../../flow/app-context.ts';

/** While a sign-up waits for its code: the link of the same mail may be opened elsewhere, and this page then moves on. */
export function useConfirmedElsewhere(code: PendingCode | null): void {
  const { api, flow } = usePortal();
  const registrationId = code?.mode === 'signIn' ? null : (code?.registrationId ?? null);
  useEffect(() => {
    if (registrationId === null) return;
    let stop = () => {};
    let isHere = true;
    // Not before the page is awake and at rest. Without it the code still works.
    import('./watch.ts').then(
      ({ watch }) => {
        if (isHere) stop = watch({ api, flow, registrationId });
      },
      () => undefined,
    );
    return () => {
      isHere = false;
      stop();
    };
  }, [api, flow, registrationId]);
}
