import { useLayoutEffect, useState } from 'react';
import { type DoneMessage, doneMessageIn } from '#domain/done.ts';
import type { VisitState } from '#domain/visit.ts';
import { useFlowAt, useView } from './app-context.ts';
import styles from './done-message.module.css';

type DoneTextProps = {
  /** For a visitor who did not come here from another step. */
  readonly plain: string;
  readonly others: Readonly<Partial<Record<DoneMessage, string>>>;
};

/** The success message. It is the same after a reload and Back, from the first paint on. */
export function DoneText({ plain, others }: DoneTextProps) {
  const message = useDoneMessage();
  if (message !== undefined) return (message && others[message]) ?? plain;
  // The root says which message it is, by the history or the address: until the page is hydrated, a style shows that one.
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

/** `null` without a history entry of ours, `undefined` before the page is hydrated. */
function useDoneMessage(): DoneMessage | null | undefined {
  const told = useFlowAt('done')?.message;
  const [kept, setKept] = useState<DoneMessage | null>();
  useLayoutEffect(() => {
    const { done } = (history.state ?? {}) as { readonly done?: unknown };
    // A form that went as it is led here: then the root says it.
    setKept(doneMessageIn(done ?? document.documentElement.dataset.done) ?? null);
  }, []);
  return told ?? kept;
}

/** Whether this entry of the history tells of an account that a text alone has proven. */
function isEntryByPhone(): boolean {
  const state: unknown = typeof history === 'undefined' ? null : history.state;
  return (state as { readonly byPhone?: unknown } | null)?.byPhone === true;
}

/** Whether a page of success is about a phone, as far as a window's title can know. */
export function isProvenByPhone({ isActivatedByPhone }: Pick<VisitState, 'isActivatedByPhone'>) {
  return isActivatedByPhone || isEntryByPhone();
}

/** What was proven: the mail, or the phone alone (PRF-02). The server knows for a while, the history for longer. */
export function ProvenText({ mail, phone }: { readonly mail: string; readonly phone: string }) {
  const told = useFlowAt('done');
  const { visit } = useView();
  const [kept, setKept] = useState(visit.isActivatedByPhone);
  useLayoutEffect(() => setKept(isProvenByPhone(visit)), [visit]);
  return (told ? told.isByPhone : kept) ? phone : mail;
}
