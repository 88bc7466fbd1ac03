import type { Clock } from '../core/clock.ts';
import { TransientError, CircuitOpenError, PermanentError } from './errors.ts';

/** `closed`: calls pass; `open`: no call passes; `probing`: one call may pass, and decides. */
export type CircuitState = 'closed' | 'open' | 'probing';

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

const FAILURES_TO_OPEN = 5;
/** Milliseconds, so that a recovered provider is found within 30 seconds (security R43). */
const OPEN_MS = 15_000;
/** Milliseconds that other calls wait while the probe runs. */
const PROBE_MS = 1000;

/**
 * Creates a breaker that stops calls to a provider that is down. Each instance has its own; each of the others needs
 * five failures to notice (decision 054).
 */
export function createCircuitBreaker(deps: {
  readonly clock: Clock;
  readonly onChange?: (state: CircuitState) => void;
}) {
  const { clock, onChange } = deps;
  let failures = 0;
  let openUntil: number | null = null;
  let isProbing = false;

  const now = () => clock.now().getTime();

  function state(): CircuitState {
    if (openUntil === null) return 'closed';
    return now() < openUntil ? 'open' : 'probing';
  }

  /** Returns whether this call is the probe. */
  function admit(): boolean {
    if (openUntil === null) return false;
    const left = openUntil - now();
    if (left > 0) throw new CircuitOpenError(left);
    if (isProbing) throw new CircuitOpenError(PROBE_MS);
    isProbing = true;
    return true;
  }

  function succeed(): void {
    const wasOpen = openUntil !== null;
    failures = 0;
    openUntil = null;
    if (wasOpen) onChange?.('closed');
  }

  function fail(wasProbe: boolean): void {
    failures += 1;
    if (failures < FAILURES_TO_OPEN) return;
    const isNews = openUntil === null;
    if (isNews || wasProbe) openUntil = now() + OPEN_MS;
    if (isNews) onChange?.('open');
  }

  return {
    state,
    /**
     * Runs a call, unless the provider is known to be down.
     * @throws CircuitOpenError, or the error of the call
     */
    async run<T>(attempt: () => Promise<T>): Promise<T> {
      const isProbe = admit();
      try {
        const result = await attempt();
        succeed();
        return result;
      } catch (error) {
        if (isHealthy(error)) succeed();
        else fail(isProbe);
        throw error;
      } finally {
        if (isProbe) isProbing = false;
      }
    },
  };
}

/** A provider that refuses one receiver is healthy. */
function isHealthy(error: unknown): boolean {
  return (
    error instanceof PermanentError || (error instanceof TransientError && error.isRecipientOnly)
  );
}
