import { useEffect, useState, type ComponentType } from 'react';
import { toastStore } from './toast.ts';

/** Renders the place of the toast. Its chunk loads with the first one: most visits see none. */
export function ToastSlot() {
  const [Region, setRegion] = useState<ComponentType | null>(null);
  useEffect(() => {
    const load = () => {
      if (toastStore.get() === null) return;
      import('./toasts.tsx').then(
        ({ Toasts }) => setRegion(() => Toasts),
        // Offline there is no toast: the page itself holds the same text, and it was announced.
        () => undefined,
      );
    };
    load();
    return toastStore.subscribe(load);
  }, []);
  return Region && <Region />;
}
