import { useCombobox } from 'downshift';
import { useEffect, useRef, useState } from 'react';
import { countText } from '#locales/counts.ts';
import { fill } from '#locales/fill.ts';
import { widgets } from '#texts/widgets.ts';
import type { Country } from '#domain/typed/phone.ts';
import { filterCountries } from './country-filter.ts';
import { Icon } from './icon.tsx';
import { keepInView } from './keep-in-view.ts';
import { announce } from './live-region.tsx';
import styles from './country-picker.module.css';

export type CountryPickerProps = {
  /** The hidden input that carries the dial code. */
  name: string;
  countries: readonly Country[];
  country: Country;
  onPick: (country: Country) => void;
};

const QUIET_MS = 500;

function foundText(count: number): string {
  if (count === 0) return widgets.country.none;
  return countText(widgets.country.found, count);
}

/** A button with a searchable list of countries, open at first. Heavy: `CountryButton` loads it on demand. */
export function CountryPicker({ name, countries, country, onPick }: CountryPickerProps) {
  const [query, setQuery] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const found = filterCountries(countries, query);

  const { isOpen, highlightedIndex, ...box } = useCombobox<Country>({
    id: `${name}-picker`,
    items: [...found],
    selectedItem: country,
    inputValue: query,
    initialIsOpen: true,
    defaultHighlightedIndex: 0,
    itemToString: (item) => item?.label ?? '',
    itemToKey: (item) => item?.label,
    // By default only the list scrolls, and the list itself may be below the edge of the window.
    scrollIntoView: (row) => row?.scrollIntoView({ block: 'nearest' }),
    stateReducer: (state, { type, changes }) => {
      const { InputBlur, MenuMouseLeave } = useCombobox.stateChangeTypes;
      // Leaving the list without a choice keeps the country that was chosen before.
      if (type === InputBlur) return { ...changes, selectedItem: state.selectedItem };
      // A shorter list also makes the pointer leave; Enter must still choose the highlighted row.
      if (type === MenuMouseLeave) return state;
      return changes;
    },
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem) onPick(selectedItem);
    },
    onIsOpenChange: ({ isOpen: opens, type }) => {
      setQuery('');
      const { InputKeyDownEnter, InputKeyDownEscape, ItemClick } = useCombobox.stateChangeTypes;
      if (
        !opens &&
        [InputKeyDownEnter, InputKeyDownEscape, ItemClick].some((one) => one === type)
      ) {
        button.current?.focus();
      }
    },
  });

  useEffect(() => {
    if (!isOpen) return;
    search.current?.focus();
    const [panel, list] = [popover.current, popover.current?.querySelector('ul')];
    return panel && list ? keepInView(panel, list) : undefined;
  }, [isOpen]);

  const count = found.length;
  useEffect(() => {
    if (query === '') return;
    const timer = setTimeout(() => announce(foundText(count)), QUIET_MS);
    return () => clearTimeout(timer);
  }, [query, count]);

  return (
    <>
      <input type="hidden" name={name} value={country.value} readOnly />
      <button
        {...box.getToggleButtonProps({ ref: button })}
        type="button"
        className={styles.button}
        tabIndex={0}
        aria-haspopup="listbox"
        aria-label={fill(widgets.country.label, { name: country.label })}
      >
        {country.label}
        <Icon name="chevron-down" />
      </button>
      <div ref={popover} className={styles.popover} hidden={!isOpen}>
        <label {...box.getLabelProps()} className={styles.label}>
          {widgets.country.search}
        </label>
        <div className={styles.search}>
          <Icon name="search" />
          <input
            {...box.getInputProps({
              ref: search,
              // Set directly: through the reducer the text would lag behind a quick typist.
              onChange: (event) => setQuery(event.currentTarget.value),
              onKeyDown: (event) => {
                // With no row to choose, Enter would send the whole form.
                if (event.key === 'Enter') event.preventDefault();
              },
              // The highlighted row may be gone from the list: then there is none.
              ...(count === 0 && { 'aria-activedescendant': undefined }),
            })}
            type="text"
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        {/* Not in the tab order, although it scrolls: the arrow keys of the search move in it. */}
        <ul {...box.getMenuProps()} className={styles.list} tabIndex={-1}>
          {found.map((item, index) => (
            <li
              key={item.label}
              {...box.getItemProps({
                item,
                index,
                'aria-selected': item.label === country.label,
              })}
              className={
                highlightedIndex === index ? `${styles.option} ${styles.active}` : styles.option
              }
            >
              {item.label}
              {item.label === country.label && <Icon name="check" />}
            </li>
          ))}
        </ul>
        {count === 0 && <p className={styles.none}>{widgets.country.none}</p>}
      </div>
    </>
  );
}
