import { shell } from '#texts/shell.ts';
import styles from './skip-link.module.css';

/**
 * Renders the first tab stop, which skips the header. Only the focus moves: a step to `#main` in the history would
 * count as Back, and the screen would be rendered anew without its input.
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
