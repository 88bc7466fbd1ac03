import type { Problem } from '#domain/flow/state.ts';
import type { ApiResult } from '../lib/api.ts';

/** The problem of a call that a screen makes by itself: a limit says when to come back, the rest is the catch-all (SUP-21). */
export function problemOf(result: Extract<ApiResult<unknown>, { kind: 'failed' }>): Problem {
  const isLimit = result.status === 429 && result.retryAfterSeconds !== null;
  const minutes = Math.max(1, Math.ceil((result.retryAfterSeconds ?? 0) / 60));
  return {
    where: 'form',
    say: isLimit ? { key: 'tooMany', minutes } : { key: 'general' },
    canRetry: false,
  };
}
