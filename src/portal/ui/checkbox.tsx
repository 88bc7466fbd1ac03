import type { InputHTMLAttributes } from 'react';
import { Icon } from './icon.tsx';
import styles from './checkbox.module.css';

type CheckMarkProps = {
  type?: 'checkbox' | 'radio';
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'checked' | 'className' | 'style' | 'type'>;

/** Renders a large native checkbox or radio. */
export function CheckMark({ type = 'checkbox', ...input }: CheckMarkProps) {
  return (
    <span className={styles.box}>
      <input {...input} type={type} />
      <Icon name="check" size="s" />
    </span>
  );
}

type CheckboxProps = {
  name: string;
  value: string;
  label: string;
  /** Shown only while the box is ticked. */
  hint: string;
};

/** Renders one checkbox in a 48 px row; the label is part of the target. */
export function Checkbox({ name, value, label, hint }: CheckboxProps) {
  return (
    <div>
      <label className={styles.row}>
        <CheckMark value={value} name={name} id={name} aria-describedby={`${name}-hint`} />
        {label}
      </label>
      <p className={styles.hint} id={`${name}-hint`}>
        {hint}
      </p>
    </div>
  );
}
