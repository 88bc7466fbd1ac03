import { useEffect, useState } from 'react';
import type { DoneMessage } from '#domain/flow/state.ts';
import { useFlowAt } from './portal.ts';

const MESSAGES: readonly string[] = [
  'created',
  'activated',
  'oldPassword',
  'passwordSet',
] satisfies DoneMessage[];

/** What was achieved; after a reload or Back the entry in the history still knows. `null` for somebody who just came by. */
export function useDoneMessage(): DoneMessage | null {
  const told = useFlowAt('done')?.message ?? null;
  const [kept, setKept] = useState<DoneMessage | null>(null);
  useEffect(() => {
    const { done } = (history.state ?? {}) as { readonly done?: unknown };
    if (typeof done === 'string' && MESSAGES.includes(done)) setKept(done as DoneMessage);
  }, []);
  return told ?? kept;
}
