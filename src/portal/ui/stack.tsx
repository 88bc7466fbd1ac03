import type { ReactNode } from 'react';
import styles from './stack.module.css';

/** A hint under a field, with its buttons. */
export function FieldHint({ children }: { children: ReactNode }) {
  return <div className={styles.hint}>{children}</div>;
}
