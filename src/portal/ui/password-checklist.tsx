import { useEffect, useRef } from 'react';
import { fill } from '#locales/fill.ts';
import { widgets } from '#texts/widgets.ts';
import { Icon } from './icon.tsx';
import { announce } from './live-region.tsx';
import styles from './password-checklist.module.css';

/** One rule of the password and whether the typed password meets it. */
export type RuleRow = {
  id: string;
  label: string;
  isMet: boolean;
};

/** Long enough after the last key that a slow typist is not talked over. */
const QUIET_MS = 900;

/** One sentence for screen readers: how many rules are met and which are missing. */
export function checklistSummary(rows: readonly RuleRow[]): string {
  const missing = rows.filter((row) => !row.isMet).map((row) => row.label.toLowerCase());
  if (missing.length === 0) return widgets.checklist.allMet;
  return fill(widgets.checklist.someMet, {
    met: rows.length - missing.length,
    total: rows.length,
    missing: missing.join(', '),
  });
}

/** The rules of a new password, always in sight; shape, weight and words tell the state, not colour alone. */
export function PasswordChecklist({ rows }: { rows: readonly RuleRow[] }) {
  const summary = checklistSummary(rows);
  const lastSaid = useRef(summary);
  useEffect(() => {
    if (lastSaid.current === summary) return;
    const timer = setTimeout(() => {
      lastSaid.current = summary;
      announce(summary);
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [summary]);

  return (
    <ul className={styles.rules}>
      {rows.map((row) => (
        <li key={row.id} className={row.isMet ? `${styles.rule} ${styles.met}` : styles.rule}>
          <span className={styles.dot}>{row.isMet && <Icon name="check" />}</span>
          <span>
            {row.label}
            <span className="visually-hidden">
              {row.isMet ? widgets.checklist.done : widgets.checklist.notYet}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
