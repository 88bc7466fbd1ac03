import type { InputHTMLAttributes, Ref } from 'react';
import { Field, type FieldProps } from './field.tsx';
import styles from './field.module.css';
import { useSentValue } from '../lib/form-actions.ts';

/** Attributes of the input itself. No `value`: input from before hydration must stay. */
export type InputProps = Omit<
  InputHTMLAttributes<HTMLInputElement>,
  keyof FieldProps | 'className' | 'style' | 'type' | 'value'
>;

type TextFieldProps = {
  type?: 'text' | 'email';
  inputRef?: Ref<HTMLInputElement>;
} & FieldProps &
  InputProps;

/** A one-line field. */
export function TextField(props: TextFieldProps) {
  const { name, label, required, optional, hint, error, type = 'text', inputRef, ...input } = props;
  const sent = useSentValue(name);
  return (
    <Field {...{ name, label, required, optional, hint, error }}>
      {(control) => (
        <div>
          <input
            {...input}
            {...control}
            defaultValue={sent ?? input.defaultValue}
            ref={inputRef}
            type={type}
            className={styles.input}
          />
        </div>
      )}
    </Field>
  );
}
