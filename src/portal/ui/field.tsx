import type { ReactNode } from 'react';
import { ui } from '#texts/ui.ts';
import { Icon } from './icon.tsx';
import styles from './field.module.css';

/** The props of every field of a form, for any control. */
export type FieldProps = {
  /** Also the id. */
  name: string;
  label: string;
  /** `unmarked` where every field is required and a star would only need an explanation. */
  required?: boolean | 'unmarked' | undefined;
  optional?: boolean | undefined;
  hint?: ReactNode;
  /** The text of the problem; it may contain a link. */
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
 * Renders label, hint and error above their control: below it the phone keyboard and the browser's autofill list would
 * hide them.
 */
export function Field(props: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const { name: id, label, required, optional, hint, error, children } = props;
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
        name: id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
        'aria-required': required ? true : undefined,
      })}
    </div>
  );
}

/** Renders the star of a required field; `aria-required` carries the state. */
export function RequiredMark() {
  return (
    <span className={styles.required} aria-hidden="true">
      *
    </span>
  );
}

/** Renders the problem of the control `id`, for its `aria-describedby` as `{id}-err`. */
export function FieldError({ id, error }: { id: string; error: ReactNode }) {
  if (!error) return null;
  return (
    <p className={styles.error} id={`${id}-err`}>
      <Icon name="octagon-alert" />
      <span>{error}</span>
    </p>
  );
}
