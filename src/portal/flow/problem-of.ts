import { waitMinutes } from '#domain/duration.ts';
import { GENERAL, limitProblem, OFFLINE, type Problem } from '#domain/flow/state.ts';
import type { ApiResult } from '../lib/api.ts';
import { failedOffline } from '../lib/online.ts';

/** The problem of a call that a screen makes by itself: a limit says when to come back, the rest is the catch-all (SUP-21). */
export function problemOf(result: Extract<ApiResult<unknown>, { kind: 'failed' }>): Problem {
  const { status, retryAfterSeconds } = result;
  const isLimit = status === 429 && retryAfterSeconds !== null;
  if (isLimit) return limitProblem(waitMinutes(retryAfterSeconds * 1000));
  return status === 0 && failedOffline() ? { ...OFFLINE } : { ...GENERAL };
}
