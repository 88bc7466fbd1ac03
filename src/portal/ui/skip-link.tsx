import { shell } from '#messages/en/shell.ts';
import styles from './skip-link.module.css';

/** The first stop of the keyboard: past the header, into the page. */
export function SkipLink() {
  return (
    <a className={styles.skip} href="#main">
      {shell.skip}
    </a>
  );
}
