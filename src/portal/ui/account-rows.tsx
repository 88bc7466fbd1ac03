import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './account-rows.module.css';

type Row = {
  readonly key: string;
  readonly label: string;
  readonly value: ReactNode;
  /** A link or a button; `null` for a row that only shows its value. */
  readonly verb: ReactNode;
  /** Beside the label on a wide page. */
  readonly icon?: IconName;
  /** The icon's tile is lit like a window. */
  readonly isLit?: boolean;
};

/** Lists rows with a label, the present value in words, and at most one verb. */
export function AccountRows({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <ul className={styles.rows}>
      {rows.map(({ key, label, value, verb, icon, isLit }) => (
        <li key={key} className={icon && styles.pictured}>
          {icon && (
            <span className={isLit ? `${styles.tile} ${styles.lit}` : styles.tile}>
              <Icon name={icon} />
            </span>
          )}
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
