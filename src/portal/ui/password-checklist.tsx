import { useEffect, useRef } from 'react';
import { fill } from '#locales/fill.ts';
import { widgets } from '#texts/widgets.ts';
import { Icon } from './icon.tsx';
import { announce } from './live-region.tsx';
import styles from './password-checklist.module.css';

/** One rule of the password and whether the entered password meets it. */
export type RuleRow = {
  id: string;
  label: string;
  isMet: boolean;
};

/** Milliseconds after the last key, enough not to interrupt a slow typist. */
const QUIET_MS = 900;

/** Returns one sentence for screen readers: the number of met rules, and the missing ones. */
export function checklistSummary(rows: readonly RuleRow[]): string {
  const missing = rows.filter((row) => !row.isMet).map((row) => row.label.toLowerCase());
  if (missing.length === 0) return widgets.checklist.allMet;
  return fill(widgets.checklist.someMet, {
    met: rows.length - missing.length,
    total: rows.length,
    missing: missing.join(', '),
  });
}

/** Renders the rules of a new password, always visible; shape, weight and text show the state, not colour alone. */
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
