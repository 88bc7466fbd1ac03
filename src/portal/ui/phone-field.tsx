import { useEffect, useRef, useState, type FormEvent } from 'react';
import {
  DEFAULT_COUNTRY,
  phoneExtension,
  formatInCountry,
  isWholePhone,
  phoneDigits,
  splitDialCode,
  withoutOwnDialCode,
  type Country,
} from '#domain/typed/phone.ts';
import { fill } from '#locales/fill.ts';
import { widgets } from '#texts/widgets.ts';
import { CountryButton } from './country-button.tsx';
import { Field, type FieldProps } from './field.tsx';
import { isUntouched } from '../lib/fill-in.ts';
import { useSentValue } from '../lib/form-actions.ts';
import { announce } from './live-region.tsx';
import fieldStyles from './field.module.css';
import styles from './phone-field.module.css';

type PhoneFieldProps = {
  /** Name of the hidden input with the dial code. */
  codeName: string;
  countries: readonly Country[];
  /** An earlier number: filled in unless the field was edited already. */
  initial?: Readonly<Record<'country' | 'dialCode' | 'phone', string>> | null;
} & FieldProps;

/**
 * Renders country code and number in one row. A pasted "+44 …" moves the picker; the rest is formatted during input.
 */
export function PhoneField(props: PhoneFieldProps) {
  const { codeName, countries, initial = null, ...fieldProps } = props;
  const input = useRef<HTMLInputElement>(null);
  const sent = useSentValue('country');
  const [country, setCountry] = useState(
    countries.find(({ iso }) => iso === sent) ?? DEFAULT_COUNTRY,
  );
  const isPicked = useRef(false);
  const number = useSentValue('phone');
  useEffect(() => {
    if (!initial || !input.current) return;
    const known = countries.find(({ iso }) => iso === initial.country);
    const found = known ?? countries.find(({ value }) => value === initial.dialCode);
    // The browser may have put the same digits back.
    const isOwn = phoneDigits(input.current.value) === phoneDigits(initial.phone);
    if (!found || !isUntouched(input.current) || !(isOwn || input.current.value === '')) return;
    if (!isPicked.current) setCountry(found);
    input.current.value = formatInCountry(found, initial.phone);
  }, [initial, countries]);

  const format = (field: HTMLInputElement) => {
    // An extension stays as it is typed, for the message that refuses it.
    if (phoneExtension(field.value) !== null) return;
    const split = splitDialCode(field.value, countries);
    // A chosen country that shares the code, for example Canada, stays.
    const meant = split && split.country.value !== country.value ? split.country : country;
    if (meant !== country) {
      setCountry(meant);
      announce(fill(widgets.country.label, { name: meant.label }));
    }
    if (split || !isWholePhone(field.value)) {
      const number = split?.number ?? withoutOwnDialCode(country, field.value);
      field.value = formatInCountry(meant, number);
    }
  };
  const onInput = (event: FormEvent<HTMLInputElement>) => {
    const typed = event.currentTarget;
    const { inputType, isComposing } = event.nativeEvent as InputEvent;
    // Only at the end and only for new digits: elsewhere the caret would jump, and Delete and Undo would not.
    const isAtEnd = typed.selectionEnd === typed.value.length;
    // An autofill may have no type.
    const isTyped = !inputType || inputType.startsWith('insert');
    // A dial code is complete only when the field is left or the number is pasted whole.
    const isDialing = inputType === 'insertText' && isWholePhone(typed.value);
    if (isAtEnd && isTyped && !isComposing && !isDialing) format(typed);
  };

  return (
    <Field {...fieldProps} hint={fill(widgets.country.example, { example: country.example })}>
      {(control) => (
        <div className={styles.row}>
          <div className={styles.code}>
            <CountryButton
              name={codeName}
              countries={countries}
              country={country}
              onPick={(picked) => {
                isPicked.current = true;
                setCountry(picked);
              }}
            />
            <input type="hidden" name="country" value={country.iso} readOnly />
          </div>
          <div className={styles.number}>
            <input
              {...control}
              ref={input}
              className={fieldStyles.input}
              type="text"
              inputMode="tel"
              defaultValue={number}
              autoComplete="tel-national"
              enterKeyHint="next"
              onInput={onInput}
              onBlur={(event) => format(event.currentTarget)}
              onKeyDown={(event) => {
                // Enter sends the form: the number is read as when the field is left.
                if (event.key === 'Enter') format(event.currentTarget);
              }}
            />
          </div>
        </div>
      )}
    </Field>
  );
}
