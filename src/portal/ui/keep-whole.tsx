import type { ReactNode } from 'react';
import styles from './keep-whole.module.css';

/** Returns a title in which no line breaks within a word like "6-digit" or "sign-in". */
export function keepWhole(text: string): readonly ReactNode[] {
  return text.split(/(\S+-\S+)/).map((part) =>
    part.includes('-') ? (
      <span key={part} className={styles.whole}>
        {part}
      </span>
    ) : (
      part
    ),
  );
}
