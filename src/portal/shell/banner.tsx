import { useEffect, useRef, useState } from 'react';
import type { Door } from '#domain/looks/door.ts';
import type { Thing } from '#domain/looks/porch-door.ts';
import { fill } from '#locales/fill.ts';
import { shell } from '#texts/shell.ts';
import { Icon } from '../ui/icon.tsx';
import { Porch } from '../ui/porch.tsx';
import { oncePerPress } from '../ui/press-guard.ts';
import { usePreferences, wantsStillness } from '../ui/preferences.ts';
import styles from './banner.module.css';

const TURN_MS = 4000;
const CHOICE_KEY = 'porchlight.banner';
const t = shell.banner;
const TOTAL = t.slides.length;

/** Renders the side panel: porch and title stay, the line below changes every four seconds, and a button pauses it. */
export function Banner({ door, thing }: { door: Door; thing: Thing | undefined }) {
  const panel = useRef<HTMLElement>(null);
  const [at, setAt] = useState(0);
  const [isPlaying, setPlaying] = usePlaying();

  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => {
      if (!mustHold(panel.current)) setAt((at + 1) % TOTAL);
    }, TURN_MS);
    return () => clearInterval(timer);
  }, [isPlaying, at]);

  return (
    <section
      ref={panel}
      className={styles.panel}
      aria-roledescription={t.carousel}
      aria-label={t.label}
    >
      <div className={styles.stage}>
        <Porch door={door} thing={thing} view="scene" />
      </div>
      <div className={styles.caption}>
        <h2 className={styles.title}>{t.title}</h2>
        <div className={styles.lines} aria-live={isPlaying ? 'off' : 'polite'}>
          {t.slides.map((line, index) => (
            <p
              key={line}
              role="group"
              aria-roledescription={t.slide}
              aria-label={fill(t.position, { n: index + 1, total: TOTAL })}
              className={index === at ? styles.shown : undefined}
            >
              {line}
            </p>
          ))}
        </div>
        <div className={`script-only ${styles.controls}`}>
          <button
            type="button"
            className={styles.pause}
            onClick={oncePerPress(() => setPlaying(!isPlaying))}
          >
            <Icon name={isPlaying ? 'pause' : 'play'} size="s" />
            {isPlaying ? t.pause : t.play}
          </button>
          <div className={styles.dots}>
            {t.slides.map((line, index) => (
              <button
                key={line}
                type="button"
                className={styles.dot}
                aria-label={fill(t.show, { n: index + 1 })}
                aria-current={index === at || undefined}
                onClick={() => setAt(index)}
              />
            ))}
          </div>
        </div>
      </div>
    </section>
  );
}

/**
 * Returns whether the line must stay: under a pointer, under the focus, in a hidden tab, or while a form is filled in.
 */
function mustHold(panel: HTMLElement | null): boolean {
  const isTyping = document.activeElement?.matches('main input') ?? false;
  return document.hidden || isTyping || (panel?.matches(':hover, :focus-within') ?? false);
}

/** Returns whether the banner plays: not with reduced motion; Pause or Play is kept for the session. */
function usePlaying(): [boolean, (isPlaying: boolean) => void] {
  const { untimed } = usePreferences();
  const [isPlaying, setPlaying] = useState(true);
  useEffect(() => {
    setPlaying(!wantsStillness() && readChoice() !== 'paused');
  }, [untimed]);
  const choose = (next: boolean) => {
    setPlaying(next);
    try {
      sessionStorage.setItem(CHOICE_KEY, next ? 'playing' : 'paused');
    } catch {
      // Without storage the choice counts until the page is left.
    }
  };
  return [isPlaying, choose];
}

function readChoice(): string | null {
  try {
    return sessionStorage.getItem(CHOICE_KEY);
  } catch {
    return null;
  }
}
