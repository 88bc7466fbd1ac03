import type { ReactNode } from 'react';
import styles from './stack.module.css';

/** A vertical stack outside a form. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className={styles.stack}>{children}</div>;
}

/** A hint under a field, with its buttons. */
export function FieldHint({ children }: { children: ReactNode }) {
  return <div className={styles.hint}>{children}</div>;
}
