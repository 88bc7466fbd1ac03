import { useSyncExternalStore } from 'react';
import { ui } from '#locales/en/ui.ts';
import { Alert } from '../ui/alert.tsx';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Tells that the browser is offline, and that nothing typed is lost. */
export function OfflineNote() {
  const isOffline = useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  );
  return <div role="status">{isOffline && <Alert tone="warning">{ui.offline}</Alert>}</div>;
}
