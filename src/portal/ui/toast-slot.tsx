import { useEffect, useState, type ComponentType } from 'react';
import { currentToasts, subscribeToasts } from './toast.ts';

/** The place of the toasts. Their chunk loads with the first one: most visits see none. */
export function ToastSlot() {
  const [Region, setRegion] = useState<ComponentType | null>(null);
  useEffect(() => {
    const load = () => {
      if (currentToasts().length === 0) return;
      import('./toasts.tsx').then(
        ({ Toasts }) => setRegion(() => Toasts),
        // No network, no toast: the page itself holds the same words, and they were announced.
        () => undefined,
      );
    };
    load();
    return subscribeToasts(load);
  }, []);
  return Region && <Region />;
}
