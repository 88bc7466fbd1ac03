import { useEffect, useRef, useState } from 'react';
import { fill } from '#locales/fill.ts';
import { shell } from '#locales/en/shell.ts';
import sceneDoor from '../assets/scene-door.svg';
import sceneMoon from '../assets/scene-moon.svg';
import sceneWindow from '../assets/scene-window.svg';
import { Icon } from '../ui/icon.tsx';
import { usePreferences, wantsStillness } from '../ui/preferences.ts';
import styles from './banner.module.css';

const SCENES = [sceneDoor, sceneWindow, sceneMoon] as const;
const TURN_MS = 4000;
const CHOICE_KEY = 'porchlight.banner';
const t = shell.banner;

/** The side panel: the title stays, the picture and its line change every four seconds, and anyone can stop that. */
export function Banner() {
  const panel = useRef<HTMLElement>(null);
  const [at, setAt] = useState(0);
  const [seen, setSeen] = useState(1);
  const [isPlaying, setPlaying] = usePlaying();
  const show = (next: number) => {
    setAt(next);
    setSeen((count) => Math.max(count, next + 1));
  };

  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => {
      if (!mustHold(panel.current)) show((at + 1) % SCENES.length);
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
        {/* The next picture loads when its turn comes, not before the form has all it needs. */}
        {SCENES.slice(0, seen).map((scene, index) => (
          <img key={scene} src={scene} alt="" className={index === at ? styles.shown : undefined} />
        ))}
      </div>
      <div className={styles.caption}>
        <h2 className={styles.title}>{t.title}</h2>
        <div className={styles.lines} aria-live={isPlaying ? 'off' : 'polite'}>
          {t.slides.map((line, index) => (
            <p
              key={line}
              role="group"
              aria-roledescription={t.slide}
              aria-label={fill(t.position, { n: index + 1, total: SCENES.length })}
              className={index === at ? styles.shown : undefined}
            >
              {line}
            </p>
          ))}
        </div>
        <div className={styles.controls}>
          <button type="button" className={styles.pause} onClick={() => setPlaying(!isPlaying)}>
            <Icon name={isPlaying ? 'pause' : 'play'} size="s" />
            {isPlaying ? t.pause : t.play}
          </button>
          <div className={styles.dots}>
            {SCENES.map((scene, index) => (
              <button
                key={scene}
                type="button"
                className={styles.dot}
                aria-label={fill(t.show, { n: index + 1 })}
                aria-current={index === at || undefined}
                onClick={() => show(index)}
              />
            ))}
          </div>
        </div>
      </div>
    </section>
  );
}

/** No picture changes under a pointer, under the focus, in a hidden tab or while someone fills in the form. */
function mustHold(panel: HTMLElement | null): boolean {
  const isTyping = document.activeElement?.matches('main input') ?? false;
  return document.hidden || isTyping || (panel?.matches(':hover, :focus-within') ?? false);
}

/** Plays unless the visitor prefers stillness; Pause or Play counts for the session. */
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
