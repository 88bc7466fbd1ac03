import { useLayoutEffect, useState } from 'react';
import type { DoneMessage } from '#domain/flow/state.ts';
import { useFlowAt } from './app-context.ts';
import styles from './done-message.module.css';

const MESSAGES: readonly string[] = [
  'created',
  'activated',
  'oldPassword',
  'passwordSet',
] satisfies DoneMessage[];

type DoneTextProps = {
  /** For a visitor who did not come here from another step. */
  readonly plain: string;
  readonly others: Readonly<Partial<Record<DoneMessage, string>>>;
};

/** The success message. It is the same after a reload and Back, from the first paint on. */
export function DoneText({ plain, others }: DoneTextProps) {
  const message = useDoneMessage();
  if (message !== undefined) return (message && others[message]) ?? plain;
  // Only the history entry knows which message it is: until the page is hydrated, a style shows that one.
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
    const isOurs = typeof done === 'string' && MESSAGES.includes(done);
    setKept(isOurs ? (done as DoneMessage) : null);
  }, []);
  return told ?? kept;
}
