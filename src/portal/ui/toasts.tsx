import { useEffect, useRef, useSyncExternalStore } from 'react';
import { fill } from '#locales/fill.ts';
import { ui } from '#locales/en/ui.ts';
import { TONE_ICON } from './alert.tsx';
import { Icon } from './icon.tsx';
import { isUntimed } from './preferences.ts';
import { currentToasts, dismissToast, serverToasts, subscribeToasts, type Toast } from './toast.ts';
import styles from './toasts.module.css';

const SHOWN = 3;
const TICK_MS = 100;

/** The toasts, top centre. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts, serverToasts);
  const shown = toasts.slice(0, SHOWN);
  const hidden = toasts.length - shown.length;
  return (
    <section className={styles.region} aria-label={ui.toasts.region} hidden={toasts.length === 0}>
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
      {hidden > 0 && <p className={styles.more}>{fill(ui.toasts.more, { count: hidden })}</p>}
    </section>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const card = useRef<HTMLDivElement>(null);
  const shownMs = useRef(0);
  useEffect(() => {
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      if (!mustHold(card.current)) shownMs.current += now - last;
      last = now;
      if (shownMs.current >= toast.hidesAfterMs) dismissToast(toast.id);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [toast]);

  return (
    <div ref={card} className={`${styles.toast} ${styles[toast.tone] ?? ''}`}>
      <Icon name={TONE_ICON[toast.tone]} size="l" />
      <p className={styles.text}>{toast.text}</p>
      <button
        type="button"
        className={styles.close}
        aria-label={ui.close}
        onClick={() => dismissToast(toast.id)}
      >
        <Icon name="x" />
      </button>
    </div>
  );
}

/** The timers of all toasts pause while one is hovered or focused, in a hidden tab, and in untimed mode. */
function mustHold(card: HTMLElement | null): boolean {
  const isTouched = card?.parentElement?.matches(':hover, :focus-within') ?? false;
  return isTouched || document.hidden || isUntimed();
}
