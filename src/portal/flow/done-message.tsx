import { useLayoutEffect, useState } from 'react';
import { type DoneMessage, doneMessageIn } from '#domain/flow/done.ts';
import type { VisitState } from '#domain/flow/visit.ts';
import { useFlowAt, useView } from './app-context.ts';
import styles from './done-message.module.css';

type DoneTextProps = {
  /** For a visitor who did not come from another step. */
  readonly plain: string;
  readonly others: Readonly<Partial<Record<DoneMessage, string>>>;
};

/** Shows the success message, the same after a reload and Back, from the first paint on. */
export function DoneText({ plain, others }: DoneTextProps) {
  const message = useDoneMessage();
  if (message !== undefined) return (message && others[message]) ?? plain;
  // The root element names the message, from the history or the address: until the page is hydrated, a style shows that
  // one.
  return (
    <>
      <span className={styles.plain}>{plain}</span>
      {Object.entries(others).map(([each, text]) => (
        <span key={each} className={styles[each]}>
          {text}
        </span>
      ))}
    </>
  );
}

/** Returns `null` without a history entry of ours, `undefined` before the page is hydrated. */
function useDoneMessage(): DoneMessage | null | undefined {
  const told = useFlowAt('done')?.message;
  const [kept, setKept] = useState<DoneMessage | null>();
  useLayoutEffect(() => {
    const { done } = (history.state ?? {}) as { readonly done?: unknown };
    // A no-JavaScript form led here: the root element has the message.
    setKept(doneMessageIn(done ?? document.documentElement.dataset.done) ?? null);
  }, []);
  return told ?? kept;
}

/** Returns whether this history entry is about an account that only a text has proven. */
function isEntryByPhone(): boolean {
  const state: unknown = typeof history === 'undefined' ? null : history.state;
  return (state as { readonly byPhone?: unknown } | null)?.byPhone === true;
}

/** Returns whether a page of success is about a phone, as far as the window's title can know. */
export function isProvenByPhone({ isActivatedByPhone }: Pick<VisitState, 'isActivatedByPhone'>) {
  return isActivatedByPhone || isEntryByPhone();
}

/**
 * Shows the proven contact: the mail, or only the phone (PRF-02). The server knows it for a while, the history for
 * longer.
 */
export function ProvenText({ mail, phone }: { readonly mail: string; readonly phone: string }) {
  const told = useFlowAt('done');
  const { visit } = useView();
  const [kept, setKept] = useState(visit.isActivatedByPhone);
  useLayoutEffect(() => setKept(isProvenByPhone(visit)), [visit]);
  return (told ? told.isByPhone : kept) ? phone : mail;
}
