import type { ReactNode } from 'react';
import { ui } from '#texts/ui.ts';
import { Icon } from './icon.tsx';
import styles from './field.module.css';

/** What every field of a form takes, whatever its control. */
export type FieldProps = {
  /** Also the id, unless the page holds two fields of that name. */
  name: string;
  id?: string | undefined;
  label: string;
  /** `unmarked` where every field is required and a star would only ask to be explained. */
  required?: boolean | 'unmarked' | undefined;
  optional?: boolean | undefined;
  hint?: ReactNode;
  /** The words of the problem; a link may stand in it. */
  error?: ReactNode;
};

/** The attributes that tie a control to its label, hint and error. */
export type ControlProps = {
  id: string;
  name: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
};

/**
 * Label, hint and error above their control: below it they would hide behind the phone keyboard
 * and the browser's autofill list.
 */
export function Field(props: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const { name, id = name, label, required, optional, hint, error, children } = props;
  const describedBy = [hint && `${id}-hint`, error && `${id}-err`].filter(Boolean).join(' ');
  return (
    <div>
      <label className={styles.label} htmlFor={id}>
        {label}
        {required === true && <RequiredMark />}
        {optional && ' '}
        {optional && <span className={styles.optional}>{ui.optional}</span>}
      </label>
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
      {children({
        id,
        name,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
        'aria-required': required ? true : undefined,
      })}
    </div>
  );
}

/** The star of a required field; the state itself is told by `aria-required`. */
export function RequiredMark() {
  return (
    <span className={styles.required} aria-hidden="true">
      *
    </span>
  );
}

/** The problem of the control `id`, to be named by its `aria-describedby` as `{id}-err`. */
export function FieldError({ id, error }: { id: string; error: ReactNode }) {
  if (!error) return null;
  return (
    <p className={styles.error} id={`${id}-err`}>
      <Icon name="octagon-alert" />
      <span>{error}</span>
    </p>
  );
}
