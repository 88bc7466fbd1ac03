import { DISPLAY_CHOICES, DISPLAY_FORM, type Preferences } from '#domain/looks/display.ts';
import { display } from '#texts/display.ts';
import { stillPage } from '#texts/still-page.ts';
import { shell } from '#texts/shell.ts';
import { useFormActions } from '../lib/form-actions.ts';
import { Languages, useHasLanguages } from '../flow/languages.tsx';
import { Icon } from '../ui/icon.tsx';
import { NativeForm } from '../ui/submit.tsx';
import choiceStyles from './choice-group.module.css';
import menuStyles from './display-menu.module.css';
import styles from './display-panel.module.css';

/**
 * Renders the Display button and its panel without JavaScript, on the server only. Each choice is a form of its own.
 */
export function NativeDisplay() {
  // A page whose address accepts no form has no panel.
  const chosen = useFormActions()?.kept.get(DISPLAY_FORM) as Preferences | undefined;
  return chosen ? <Menu chosen={chosen} /> : null;
}

function Menu({ chosen }: { readonly chosen: Preferences }) {
  const hasLanguages = useHasLanguages();
  return (
    <>
      <Sizes chosen={chosen} />
      <details className={menuStyles.menu}>
        <summary className={menuStyles.button}>
          <Icon name="a-large-small" />
          <span>{shell.display.button}</span>
        </summary>
        {/* The server answers it before any screen is rendered. */}
        <NativeForm id={DISPLAY_FORM} className={styles.panel} aria-label={display.panel}>
          {hasLanguages && (
            <div>
              <p className={styles.label}>{display.language}</p>
              <Languages className={`${choiceStyles.group} ${choiceStyles.words}`} />
            </div>
          )}
          <div>
            <p className={styles.label}>{shell.textSize.label}</p>
            <Sizes chosen={chosen} />
          </div>
          <div>
            <p className={styles.label}>{display.colors}</p>
            <Words
              label={display.colors}
              name="theme"
              chosen={chosen.theme}
              choices={DISPLAY_CHOICES.theme.map((theme) => [theme, display[theme]])}
            />
          </div>
          <div>
            <p className={styles.label}>{display.untimed}</p>
            <Words
              label={display.untimed}
              name="untimed"
              chosen={chosen.untimed}
              choices={[
                ['off', stillPage.off],
                ['on', stillPage.on],
              ]}
            />
            <p>{display.untimedHint}</p>
          </div>
          <p>{stillPage.clears}</p>
        </NativeForm>
      </details>
    </>
  );
}

/** Shown beside the panel as well: older readers look for the letters on the page itself. */
function Sizes({ chosen }: { readonly chosen: Preferences }) {
  return (
    <div className={choiceStyles.group} role="group" aria-label={shell.textSize.label}>
      {DISPLAY_CHOICES.textSize.map((size, index) => (
        <button
          key={size}
          form={DISPLAY_FORM}
          name="textSize"
          value={size}
          className={`${choiceStyles.choice} ${choiceStyles[`a${index}`] ?? ''}`}
          aria-label={shell.textSize[size]}
          aria-pressed={chosen.textSize === size}
        >
          A
        </button>
      ))}
    </div>
  );
}

type WordsProps = {
  readonly label: string;
  readonly name: keyof Preferences;
  readonly chosen: string;
  /** Each choice with its text. */
  readonly choices: readonly (readonly [value: string, words: string])[];
};

function Words({ label, name, chosen, choices }: WordsProps) {
  return (
    <div className={`${choiceStyles.group} ${choiceStyles.words}`} role="group" aria-label={label}>
      {choices.map(([value, words]) => (
        <button
          key={value}
          name={name}
          value={value}
          className={choiceStyles.choice}
          aria-pressed={chosen === value}
        >
          {words}
        </button>
      ))}
    </div>
  );
}
