import { shell } from '#locales/en/shell.ts';
import { CheckMark } from '../ui/checkbox.tsx';
import { setPreference, usePreferences } from '../ui/preferences.ts';
import { TextSize } from './text-size.tsx';
import checkStyles from '../ui/checkbox.module.css';
import choiceStyles from './choice-group.module.css';
import styles from './display-panel.module.css';

const THEMES = ['device', 'light', 'dark'] as const;

/** The choices behind the Display button. Kept on this device. */
export function DisplayPanel() {
  const { theme, untimed } = usePreferences();
  return (
    <div className={styles.panel} id="display-panel" role="group" aria-label={shell.display.panel}>
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
            key={untimed}
            defaultChecked={untimed === 'on'}
            aria-describedby="untimed-hint"
            onChange={(event) =>
              setPreference('untimed', event.currentTarget.checked ? 'on' : 'off')
            }
          />
          {shell.display.untimed}
        </label>
        <p className={styles.hint} id="untimed-hint">
          {shell.display.untimedHint}
        </p>
      </div>
    </div>
  );
}
