import type { ReactNode } from 'react';
import styles from './stack.module.css';

/** Things one below the other, outside a form, with room between them. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className={styles.stack}>{children}</div>;
}

/** A question under a field, and its answer beside it. */
export function FieldHint({ children }: { children: ReactNode }) {
  return <div className={styles.hint}>{children}</div>;
}
