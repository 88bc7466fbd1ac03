import type { ReactNode } from 'react';
import { ui } from '#texts/ui.ts';
import { fill } from '#locales/fill.ts';
import { Alert } from './alert.tsx';
import styles from './error-summary.module.css';

/** A problem and the id of the control it belongs to. */
export type SummaryRow = {
  id: string;
  text: ReactNode;
};

/** Lists the problems of a form, with a link to each field. Not live: the focus is already in the first of them. */
export function ErrorSummary({ rows }: { rows: readonly SummaryRow[] }) {
  if (rows.length === 0) return null;
  return (
    <Alert tone="danger" title={fill(ui.problemsTitle, { count: rows.length })}>
      <ul className={styles.list}>
        {rows.map(({ id, text }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                // The address keeps its query and hash; only the focus moves.
                event.preventDefault();
                document.getElementById(id)?.focus();
              }}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
