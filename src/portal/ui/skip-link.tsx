import { shell } from '#texts/shell.ts';
import styles from './skip-link.module.css';

/**
 * The first stop of the keyboard: past the header, into the page. Only the focus moves: a step to `#main` in the
 * history would count as Back, and the screen would be drawn anew without what was typed.
 */
export function SkipLink() {
  return (
    <a
      className={styles.skip}
      href="#main"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}
    >
      {shell.skip}
    </a>
  );
}
