import type { AnchorHTMLAttributes, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './link-row.module.css';

/** Two controls side by side, such as a checkbox and a link; they wrap on narrow screens. */
export function LinkRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}

/** Renders the alternative below a form: "Don't have an account? Sign Up". */
export function Alternative({ children }: { children: ReactNode }) {
  return <p className={styles.alternative}>{children}</p>;
}

type BackLinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className' | 'style'>;

/** Renders the link back, above the title. */
export function BackLink({ children, ...rest }: BackLinkProps) {
  return (
    <a {...rest} className={styles.back}>
      <Icon name="arrow-left" />
      {children}
    </a>
  );
}
