import { useState } from 'react';
import type { Problem } from '#domain/flow/state.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useServerState } from '../lib/form-actions.ts';
import { useAppContext, useView } from './app-context.ts';
import { callProblem } from './problem-of.ts';

/** Sends the person's answer to the OAuth client's interaction, and follows the server's redirect. */
export function useInteractionAnswer() {
  const { api, go, leave } = useAppContext();
  const { client } = useView().visit;
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useServerState<Problem | null>('interaction', null);

  async function answer(name: 'allowInteraction' | 'denyInteraction'): Promise<void> {
    setPending(true);
    setProblem(null);
    const result = await api.call(name, { body: { request: client?.id ?? '' } });
    if (result.kind === 'ok') return leave(result.data.url);
    setPending(false);
    if (result.errorFlag === 'SIGN_IN_AGAIN') go(pathOf('signIn'));
    else if (result.kind === 'refused') go(pathOf('interactionOver'));
    else setProblem(callProblem(result));
  }

  return { answer, isPending, problem };
}
