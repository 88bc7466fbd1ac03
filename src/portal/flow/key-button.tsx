import { useState } from 'react';
import { keyProblems } from '#texts/key-problems.ts';
import { passkeys as t } from '#texts/passkeys.ts';
import type { KeyProblem } from '#domain/proofs/passkeys.ts';
import type { Api } from '../lib/api.ts';
import type { Outcome } from '../lib/passkeys.ts';
import { lazily } from '../lib/lazily.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { useAppContext } from './app-context.ts';

/** Fetches the part for keys, once. */
export const loadKeys = lazily(() => import('../lib/passkeys.ts'));

type Keys = Awaited<ReturnType<typeof loadKeys>>;

type KeyButtonProps = {
  readonly label: string;
  readonly variant?: 'secondary';
  /** Runs with a device. `null`: it worked. */
  readonly act: (keys: Keys, api: Api) => Promise<Outcome>;
  readonly onDone: () => void;
};

/** Renders a button that asks the device for its lock. Why it did not work is told above it. */
export function KeyButton({ label, variant, act, onDone }: KeyButtonProps) {
  const { api } = useAppContext();
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<KeyProblem | null>(null);

  async function press(): Promise<void> {
    setPending(true);
    setProblem(null);
    const keys = await loadKeys().catch(() => null);
    const outcome = keys ? await act(keys, api) : 'offline';
    if (outcome === null) return onDone();
    setPending(false);
    setProblem(outcome === 'replaced' || outcome === 'failedInField' ? 'cancelled' : outcome);
    return undefined;
  }

  return (
    <>
      {problem && (
        <Alert tone="danger" role="alert">
          {`${keyProblems[problem]} ${t.stillWorks}`}
        </Alert>
      )}
      <Button
        {...(variant && { variant, wide: true })}
        pending={isPending}
        pendingLabel={t.saving}
        onClick={press}
      >
        {label}
      </Button>
    </>
  );
}
