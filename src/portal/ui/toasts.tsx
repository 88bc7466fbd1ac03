import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { notices } from '#texts/notices.ts';
import { problems } from '#texts/problems.ts';
import { useStore } from '../lib/store.ts';
import { Icon } from './icon.tsx';
import { isUntimed } from './preferences.ts';
import { TOAST_MS } from './show-toast.ts';
import { dismissToast, type Toast, toastStore } from './toast.ts';
import styles from './toasts.module.css';

const TICK_MS = 100;
const GAP_PX = 24;

/** Renders the toast, over the top of the page. */
export function Toasts() {
  const toast = useStore(toastStore);
  return toast && <ToastCard key={toast.id} toast={toast} />;
}

function ToastCard({ toast }: { toast: Toast }) {
  const card = useRef<HTMLDivElement>(null);
  const shownMs = useRef(0);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    let last = performance.now();
    let isDecided = false;
    const timer = setInterval(() => {
      const now = performance.now();
      if (!mustHold(card.current)) shownMs.current += now - last;
      last = now;
      // By the first tick the page has rendered its own message and scrolled to it.
      if (!isDecided && isSaidByPage(toast)) return dismissToast();
      if (!isDecided) setDrawn(true);
      isDecided = true;
      if (shownMs.current >= TOAST_MS[toast.tone]) dismissToast();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [toast]);
  useLayoutEffect(() => {
    if (!isDrawn) return;
    if (card.current) uncoverProblems(card.current);
    const makeWay = () => {
      const focused = document.activeElement;
      if (card.current && focused && liesOver(card.current, focused)) dismissToast();
    };
    makeWay();
    document.addEventListener('focusin', makeWay);
    return () => document.removeEventListener('focusin', makeWay);
  }, [isDrawn]);

  if (!isDrawn) return null;
  return (
    <section className={styles.region} aria-label={notices.label}>
      <div ref={card} className={`${styles.toast} ${styles[toast.tone] ?? ''}`}>
        <p className={styles.text}>{toast.text}</p>
        <button
          type="button"
          className={styles.close}
          aria-label={notices.close}
          onClick={() => dismissToast()}
        >
          <Icon name="x" />
        </button>
      </div>
    </section>
  );
}

/** Returns whether the timer pauses: while the toast is hovered or focused, in a hidden tab, and in untimed mode. */
function mustHold(card: HTMLElement | null): boolean {
  const isTouched = card?.matches(':hover, :focus-within') ?? false;
  return isTouched || document.hidden || isUntimed();
}

/**
 * Returns whether the page itself shows this text, inside the window. Toasts that the specification names are always
 * shown.
 */
function isSaidByPage({ text, tone }: Toast): boolean {
  if (tone === 'info' || text === problems.general) return false;
  const places = document.querySelectorAll('main :is(h1, h2, p)');
  return [...places].some((place) => {
    if (!place.textContent?.includes(text)) return false;
    const { top, bottom, height } = place.getBoundingClientRect();
    return height > 1 && top >= 0 && bottom <= innerHeight;
  });
}

/** Scrolls the title of a list of problems from under the card, if the focused field stays in the window. */
function uncoverProblems(card: HTMLElement): void {
  const title = document.querySelector('main h2:has(+ ul a)');
  const focused = document.activeElement;
  if (!title || !focused || !liesOver(card, title)) return;
  const needed = card.getBoundingClientRect().bottom + GAP_PX - title.getBoundingClientRect().top;
  const height = globalThis.visualViewport?.height ?? innerHeight;
  if (focused.getBoundingClientRect().bottom + needed < height) scrollBy(0, -needed);
}

/** Returns whether the card covers the focused element (WCAG 2.4.11). */
function liesOver(card: HTMLElement, focused: Element): boolean {
  if (card.contains(focused) || focused.closest('main') === focused) return false;
  const [above, below] = [card.getBoundingClientRect(), focused.getBoundingClientRect()];
  return (
    below.top < above.bottom &&
    below.bottom > above.top &&
    below.left < above.right &&
    below.right > above.left
  );
}
