import { fill } from '#locales/fill.ts';
import { ui } from '#texts/ui.ts';
import styles from './page-heading.module.css';

/** Renders the visitor's position in two steps. */
export function Step({ n }: { n: 1 | 2 }) {
  return <p className={styles.step}>{fill(ui.step, { n })}</p>;
}
