import type { ReactNode } from 'react';
import type { Light } from '#domain/looks/night-house.ts';
import { Icon, type IconName } from './icon.tsx';
import { NightWindow } from './night-house.tsx';
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
  /** In place of an icon, at every width. */
  readonly window?: Omit<Light, 'name'>;
};

/** Lists rows with a label, the present value in words, and at most one verb. */
export function AccountRows({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <ul className={styles.rows}>
      {rows.map(({ key, label, value, verb, icon, isLit, window }) => (
        <li key={key} className={window ? styles.windowed : icon && styles.pictured}>
          {window && <NightWindow {...window} />}
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
