import { type SyntheticEvent, useEffect } from 'react';
import { DISPLAY_CHOICES } from '#domain/looks/display.ts';
import { display } from '#texts/display.ts';
import { shell } from '#texts/shell.ts';
import { CheckMark } from '../ui/checkbox.tsx';
import { setPreference, usePreferences } from '../ui/preferences.ts';
import { isSecondPress, oncePerPress } from '../ui/press-guard.ts';
import { Languages, useHasLanguages } from '../flow/languages.tsx';
import { ReadAloud } from './read-aloud.tsx';
import type { PanelProps } from './display-menu.tsx';
import { TextSize } from './text-size.tsx';
import checkStyles from '../ui/checkbox.module.css';
import choiceStyles from './choice-group.module.css';
import styles from './display-panel.module.css';

/** Renders the choices behind the Display button, which are kept on this device. */
export function DisplayPanel({ button, onClose }: PanelProps) {
  const { theme, untimed } = usePreferences();
  const hasLanguages = useHasLanguages();
  useLeaving(button, onClose);
  return (
    <div className={styles.panel} id="display-panel" role="group" aria-label={display.panel}>
      {hasLanguages && (
        <div>
          <p className={styles.label}>{display.language}</p>
          <Languages className={`${choiceStyles.group} ${choiceStyles.words}`} />
        </div>
      )}
      <div>
        <p className={styles.label}>{shell.textSize.label}</p>
        <TextSize />
      </div>
      <div>
        <p className={styles.label}>{display.colors}</p>
        <div
          className={`${choiceStyles.group} ${choiceStyles.words}`}
          role="group"
          aria-label={display.colors}
        >
          {DISPLAY_CHOICES.theme.map((choice) => (
            <button
              key={choice}
              type="button"
              className={choiceStyles.choice}
              aria-pressed={theme === choice}
              onClick={oncePerPress(() => setPreference('theme', choice))}
            >
              {display[choice]}
            </button>
          ))}
        </div>
      </div>
      <div>
        <label className={checkStyles.row}>
          <CheckMark
            key={untimed}
            defaultChecked={untimed === 'on'}
            aria-describedby="untimed-hint"
            onClick={(event: SyntheticEvent<Element>) => {
              if (isSecondPress(event)) event.preventDefault();
            }}
            onChange={(event) => {
              // React reports a change that the click's guard has reverted.
              if (event.nativeEvent.defaultPrevented) return;
              setPreference('untimed', event.currentTarget.checked ? 'on' : 'off');
            }}
          />
          {display.untimed}
        </label>
        <p className={styles.hint} id="untimed-hint">
          {display.untimedHint}
        </p>
      </div>
      <ReadAloud />
    </div>
  );
}

/** A press or the focus elsewhere closes the panel; so does Escape, which gives the focus back. */
function useLeaving(button: PanelProps['button'], onClose: () => void): void {
  useEffect(() => {
    const leave = (event: Event) => {
      if (!button.current?.parentElement?.contains(event.target as Node)) onClose();
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      onClose();
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
  }, [button, onClose]);
}
