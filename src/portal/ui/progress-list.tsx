import { widgets } from '#texts/widgets.ts';
import { Icon } from './icon.tsx';
import styles from './progress-list.module.css';

/** One step and its state. */
export type ProgressRow = {
  label: string;
  state: 'waiting' | 'active' | 'done' | 'failed';
};

const SIGN = { active: 'loader-circle', done: 'check', failed: 'x' } as const;

/**
 * Renders the steps of a longer job; each state has its own shape. Not live: the screen announces the first and the
 * last text.
 */
export function ProgressList({ rows }: { rows: readonly ProgressRow[] }) {
  return (
    <ol className={styles.list}>
      {rows.map(({ label, state }) => (
        <li
          key={label}
          className={`${styles.row} ${styles[state] ?? ''}`}
          aria-current={state === 'active' ? 'step' : undefined}
        >
          <span className={styles.sign}>
            {state !== 'waiting' && <Icon name={SIGN[state]} spin={state === 'active'} />}
          </span>
          <span>
            {label}
            <span className="visually-hidden">, {widgets.progress[state]}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
