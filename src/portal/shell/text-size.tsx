import { DISPLAY_CHOICES } from '#domain/looks/display.ts';
import { shell } from '#texts/shell.ts';
import { setPreference, usePreferences } from '../ui/preferences.ts';
import { oncePerPress } from '../ui/press-guard.ts';
import styles from './choice-group.module.css';

/** The three text sizes as buttons on the page itself, where older readers look for them. */
export function TextSize() {
  const { textSize } = usePreferences();
  return (
    <div className={`script-only ${styles.group}`} role="group" aria-label={shell.textSize.label}>
      {DISPLAY_CHOICES.textSize.map((size, index) => (
        <button
          key={size}
          type="button"
          className={`${styles.choice} ${styles[`a${index}`] ?? ''}`}
          aria-label={shell.textSize[size]}
          aria-pressed={textSize === size}
          onClick={oncePerPress(() => setPreference('textSize', size))}
        >
          A
        </button>
      ))}
    </div>
  );
}
