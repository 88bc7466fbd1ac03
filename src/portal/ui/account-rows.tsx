import type { ReactNode } from 'react';
import styles from './account-rows.module.css';

type Row = {
  readonly key: string;
  readonly label: string;
  readonly value: ReactNode;
  /** A link or a button; `null` for a row that only shows its value. */
  readonly verb: ReactNode;
};

/** Lists rows with a label, the present value in words, and at most one verb. */
export function AccountRows({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <ul className={styles.rows}>
      {rows.map(({ key, label, value, verb }) => (
        <li key={key}>
          <div>
            <h2>{label}</h2>
            <p>{value}</p>
          </div>
          {verb}
        </li>
      ))}
    </ul>
  );
}
