import { useEffect, useRef, type InputHTMLAttributes, type Ref } from 'react';
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
  /** Called with each change, and once at the start with the field's text from before hydration. */
  onText?: (text: string) => void;
} & FieldProps &
  InputProps;

/** A one-line field. */
export function TextField(props: TextFieldProps) {
  const {
    name,
    id,
    label,
    required,
    optional,
    hint,
    error,
    type = 'text',
    inputRef,
    onText,
    onInput,
    ...input
  } = props;
  const early = useEarlyText(onText);
  const sent = useSentValue(name);
  return (
    <Field {...{ name, id, label, required, optional, hint, error }}>
      {(control) => (
        <div ref={early}>
          <input
            {...input}
            {...control}
            defaultValue={sent ?? input.defaultValue}
            ref={inputRef}
            type={type}
            className={styles.input}
            onInput={(event) => {
              onInput?.(event);
              onText?.(event.currentTarget.value);
            }}
          />
        </div>
      )}
    </Field>
  );
}

/** Reports a field's text when its component mounts: typed, filled or restored before hydration. */
export function useEarlyText(onText: ((text: string) => void) | undefined) {
  const box = useRef<HTMLDivElement>(null);
  const report = useRef(onText);
  report.current = onText;
  useEffect(() => {
    const text = box.current?.querySelector('input')?.value;
    if (text) report.current?.(text);
  }, []);
  return box;
}
