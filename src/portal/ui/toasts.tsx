import { useEffect, useRef, useSyncExternalStore } from 'react';
import { notices } from '#locales/en/notices.ts';
import { Icon } from './icon.tsx';
import { isUntimed } from './preferences.ts';
import { closeToast, TOAST_MS } from './show-toast.ts';
import { currentToast, subscribeToast, type Toast } from './toast.ts';
import styles from './toasts.module.css';

const TICK_MS = 100;

/** The toast, above the page's own words. */
export function Toasts() {
  const toast = useSyncExternalStore(subscribeToast, currentToast);
  return (
    <section
      className={toast?.isOver ? `${styles.region} ${styles.over}` : styles.region}
      aria-label={notices.label}
      hidden={toast === null}
    >
      {toast && <ToastCard key={toast.id} toast={toast} />}
    </section>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const card = useRef<HTMLDivElement>(null);
  const shownMs = useRef(0);
  useEffect(() => {
    if (toast.isOver) return;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      if (!mustHold(card.current)) shownMs.current += now - last;
      last = now;
      if (shownMs.current >= TOAST_MS[toast.tone]) closeToast();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [toast]);

  return (
    <div ref={card} className={`${styles.toast} ${styles[toast.tone] ?? ''}`}>
      <p className={styles.text}>{toast.text}</p>
      <button
        type="button"
        className={styles.close}
        aria-label={notices.close}
        onClick={closeToast}
      >
        <Icon name="x" />
      </button>
    </div>
  );
}

/** The timer pauses while the toast is hovered or focused, in a hidden tab, and in untimed mode. */
function mustHold(card: HTMLElement | null): boolean {
  const isTouched = card?.matches(':hover, :focus-within') ?? false;
  return isTouched || document.hidden || isUntimed();
}
