import { useEffect, useState, type ComponentType } from 'react';
import { currentToast, subscribeToast } from './toast.ts';

/** The place of the toast. Its chunk loads with the first one: most visits see none. */
export function ToastSlot() {
  const [Region, setRegion] = useState<ComponentType | null>(null);
  useEffect(() => {
    const load = () => {
      if (currentToast() === null) return;
      import('./toasts.tsx').then(
        ({ Toasts }) => setRegion(() => Toasts),
        // No network, no toast: the page itself holds the same words, and they were announced.
        () => undefined,
      );
    };
    load();
    return subscribeToast(load);
  }, []);
  return Region && <Region />;
}
