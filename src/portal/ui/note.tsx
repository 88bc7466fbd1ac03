import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './note.module.css';

/** Renders a quiet line with an icon: the next step, and its reason. */
export function Note({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <p className={styles.note}>
      <Icon name={icon} />
      <span>{children}</span>
    </p>
  );
}
