import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './pill.module.css';

type PillProps = {
  icon: IconName;
  tone?: 'amber' | 'slate';
  children: ReactNode;
};

/** Renders a short label beside a title: amber for an offer under it, slate for a badge above it. */
export function Pill({ icon, tone = 'amber', children }: PillProps) {
  return (
    <p className={tone === 'slate' ? `${styles.pill} ${styles.slate}` : styles.pill}>
      <Icon name={icon} />
      {children}
    </p>
  );
}
