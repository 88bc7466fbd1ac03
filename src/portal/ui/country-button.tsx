import { useState } from 'react';
import { fill } from '#locales/fill.ts';
import { widgets } from '#texts/widgets.ts';
import type { CountryPicker as Picker, CountryPickerProps } from './country-picker.tsx';
import { Icon } from './icon.tsx';
import styles from './country-picker.module.css';

const load = () => import('./country-picker.tsx');

/** Preloads, on hover or focus; a failure does not matter yet. */
function preload() {
  load().catch(() => undefined);
}

/** Renders the closed country picker. Its list, the heaviest part of the page, loads on hover, focus or press. */
export function CountryButton(props: CountryPickerProps) {
  const [Loaded, setLoaded] = useState<typeof Picker | null>(null);
  if (Loaded) return <Loaded {...props} />;
  const { name, country } = props;
  const open = () => {
    load().then(
      ({ CountryPicker }) => setLoaded(() => CountryPicker),
      // Without the network the button stays; the next press tries again.
      () => undefined,
    );
  };
  return (
    <>
      <input type="hidden" name={name} value={country.value} readOnly />
      <button
        type="button"
        className={styles.button}
        aria-haspopup="listbox"
        aria-expanded={false}
        aria-label={fill(widgets.country.label, { name: country.label })}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={open}
      >
        {country.label}
        <Icon name="chevron-down" />
      </button>
    </>
  );
}
