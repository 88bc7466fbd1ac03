import { useEffect, useRef, type ReactNode } from 'react';
import styles from './page-heading.module.css';

type PageHeadingProps = {
  children: ReactNode;
  lead?: ReactNode;
  /** A pill, a badge or the step above or below the title. */
  above?: ReactNode;
  below?: ReactNode;
};

let isFirstPage = true;

/**
 * Renders the one h1 of a screen. Each one after the first takes the focus, so that a screen reader announces the new
 * screen.
 */
export function PageHeading({ children, lead, above, below }: PageHeadingProps) {
  const title = useRef<HTMLHeadingElement>(null);
  const wasFirst = useRef(isFirstPage);
  useEffect(() => {
    isFirstPage = false;
    if (!wasFirst.current) title.current?.focus();
  }, []);
  return (
    <div className={lead ? `${styles.heading} ${styles.led}` : styles.heading}>
      {above}
      <h1 className={styles.title} ref={title} tabIndex={-1}>
        {children}
      </h1>
      {below}
      {lead && <p className={styles.lead}>{lead}</p>}
    </div>
  );
}
