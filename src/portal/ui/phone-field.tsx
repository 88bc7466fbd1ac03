import { useState, type FormEvent, type Ref } from 'react';
import { DEFAULT_COUNTRY, formatPhone, splitDialCode, type Country } from '#domain/phone.ts';
import { fill } from '#locales/fill.ts';
import { widgets } from '#locales/en/widgets.ts';
import { CountryButton } from './country-button.tsx';
import { Field, type FieldProps } from './field.tsx';
import { announce } from './live-region.tsx';
import fieldStyles from './field.module.css';
import styles from './phone-field.module.css';

type PhoneFieldProps = {
  /** Name of the hidden input with the dial code. */
  codeName: string;
  countries: readonly Country[];
  defaultCountry?: Country;
  defaultValue?: string;
  inputRef?: Ref<HTMLInputElement>;
} & FieldProps;

/** Country code and number in one row. A pasted "+44 …" moves the picker; the rest is formatted as it is typed. */
export function PhoneField(props: PhoneFieldProps) {
  const {
    codeName,
    countries,
    defaultCountry = DEFAULT_COUNTRY,
    defaultValue,
    inputRef,
    ...field
  } = props;
  const [country, setCountry] = useState(defaultCountry);

  const format = (input: HTMLInputElement) => {
    const split = splitDialCode(input.value, countries);
    if (split && split.country.value !== country.value) {
      setCountry(split.country);
      announce(fill(widgets.country.label, { name: split.country.label }));
    }
    if (split || !input.value.trim().startsWith('+'))
      input.value = formatPhone(split?.number ?? input.value);
  };
  const onInput = (event: FormEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    const { inputType, isComposing } = event.nativeEvent as InputEvent;
    // Only at the end and only for new digits: elsewhere the caret would jump, and Delete and Undo would not.
    const isAtEnd = input.selectionEnd === input.value.length;
    // An autofill may come without a type.
    const isTyped = !inputType || inputType.startsWith('insert');
    // A dial code is complete only when the field is left or the number is pasted whole.
    const isDialing = inputType === 'insertText' && input.value.trim().startsWith('+');
    if (isAtEnd && isTyped && !isComposing && !isDialing) format(input);
  };

  return (
    <Field {...field}>
      {(control) => (
        <div className={styles.row}>
          <div className={styles.code}>
            <CountryButton
              name={codeName}
              countries={countries}
              country={country}
              onPick={setCountry}
            />
          </div>
          <div className={styles.number}>
            <input
              {...control}
              ref={inputRef}
              className={fieldStyles.input}
              type="text"
              inputMode="tel"
              autoComplete="tel-national"
              enterKeyHint="next"
              defaultValue={defaultValue}
              onInput={onInput}
              onBlur={(event) => format(event.currentTarget)}
            />
          </div>
        </div>
      )}
    </Field>
  );
}
