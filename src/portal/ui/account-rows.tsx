import type { ReactNode } from 'react';
import type { Light } from '#domain/looks/night-house.ts';
import { fill } from '#locales/fill.ts';
import { myAccount as t } from '#texts/my-account.ts';
import { buttonClass } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { NightWindow } from './night-house.tsx';
import { Submit } from './submit.tsx';
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

/** Returns the name of a verb for listeners, who hear it without its row. */
const verbOf = (verb: string, row: string) => fill(t.verbOf, { verb, row });

type LinkRow = Omit<Row, 'key' | 'verb'> & { readonly href: string; readonly verb?: string };

/** Returns a row with a link. A page load: the server reads the page's data. */
export function linkRow({ href, verb = t.change, ...row }: LinkRow): Row {
  const link = (
    <a className={buttonClass('soft')} href={href} aria-label={verbOf(verb, row.label)}>
      {verb}
    </a>
  );
  return { ...row, key: row.label, verb: link };
}

type RowSubmitProps = {
  readonly name: string;
  readonly value: string;
  readonly row: string;
  readonly verb: string;
};

/** Renders the verb of a row as a button of the page's form. */
export function RowSubmit({ row, verb, ...button }: RowSubmitProps) {
  return (
    <Submit {...button} aria-label={verbOf(verb, row)} variant="soft">
      {verb}
    </Submit>
  );
}
