import type { Clock } from '../clock.ts';
import { TransientError, CircuitOpenError, PermanentError } from './errors.ts';

/** `closed`: all goes through; `open`: nothing does; `probing`: one try may, and decides. */
export type CircuitState = 'closed' | 'open' | 'probing';

export type CircuitBreaker = {
  /** Runs a try, unless the provider is known to be down. @throws NotNow, or what the try threw */
  run<T>(attempt: () => Promise<T>): Promise<T>;
  state(): CircuitState;
};

const FAILURES_TO_OPEN = 5;
/** Short enough that a healed provider is found within 30 seconds (security R43). */
const OPEN_MS = 15_000;
/** What the others wait while one try finds out. */
const PROBE_MS = 1000;

/**
 * Keeps a provider that is down from being asked again and again. Each instance has its own: what one learns costs the
 * others five tries (decision 054).
 */
export function createCircuitBreaker(deps: {
  readonly clock: Clock;
  readonly onChange?: (state: CircuitState) => void;
}): CircuitBreaker {
  const { clock, onChange } = deps;
  let failures = 0;
  let openUntil: number | null = null;
  let isProbing = false;

  const now = () => clock.now().getTime();

  function state(): CircuitState {
    if (openUntil === null) return 'closed';
    return now() < openUntil ? 'open' : 'probing';
  }

  /** Whether this try is the probe. */
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
    async run(attempt) {
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

/** A provider that says no to one receiver is well. */
function isHealthy(error: unknown): boolean {
  return (
    error instanceof PermanentError || (error instanceof TransientError && error.isRecipientOnly)
  );
}
