import { useEffect, useRef, useState } from 'react';
import { shell } from '#messages/en/shell.ts';
import { CheckMark } from '../ui/checkbox.tsx';
import { Icon } from '../ui/icon.tsx';
import { setPreference, usePreferences } from '../ui/preferences.ts';
import { TextSize } from './text-size.tsx';
import checkStyles from '../ui/checkbox.module.css';
import choiceStyles from './choice-group.module.css';
import styles from './display-menu.module.css';

const THEMES = ['device', 'light', 'dark'] as const;

/** How the page looks and how much time it gives. Kept on this device. */
export function DisplayMenu() {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { theme, calm } = usePreferences();

  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) setOpen(false);
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    document.addEventListener('keydown', escape);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
      document.removeEventListener('keydown', escape);
    };
  }, [isOpen]);

  return (
    <div className={styles.menu} ref={menu}>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-expanded={isOpen}
        aria-controls="display-panel"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="a-large-small" />
        {shell.display.button}
      </button>
      <div
        className={styles.panel}
        id="display-panel"
        role="group"
        aria-label={shell.display.panel}
        hidden={!isOpen}
      >
        <div>
          <p className={styles.label}>{shell.textSize.label}</p>
          <TextSize />
        </div>
        <div>
          <p className={styles.label}>{shell.display.colours}</p>
          <div
            className={`${choiceStyles.group} ${choiceStyles.words}`}
            role="group"
            aria-label={shell.display.colours}
          >
            {THEMES.map((choice) => (
              <button
                key={choice}
                type="button"
                className={choiceStyles.choice}
                aria-pressed={theme === choice}
                onClick={() => setPreference('theme', choice)}
              >
                {shell.display[choice]}
              </button>
            ))}
          </div>
        </div>
        <div>
          <label className={checkStyles.row}>
            <CheckMark
              key={calm}
              defaultChecked={calm === 'on'}
              aria-describedby="calm-hint"
              onChange={(event) =>
                setPreference('calm', event.currentTarget.checked ? 'on' : 'off')
              }
            />
            {shell.display.calm}
          </label>
          <p className={styles.hint} id="calm-hint">
            {shell.display.calmHint}
          </p>
        </div>
      </div>
    </div>
  );
}
