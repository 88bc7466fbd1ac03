import { waitMinutes } from '#domain/text/duration.ts';
import { GENERAL, limitProblem, OFFLINE, type Problem } from '#domain/flow/state.ts';
import type { ApiResult } from '../lib/api.ts';
import { failedOffline } from '../lib/online.ts';

/**
 * Returns the problem of a call that a screen makes by itself: a limit with its waiting time, else the general text
 * (SUP-21).
 */
export function callProblem(result: Extract<ApiResult<unknown>, { kind: 'failed' }>): Problem {
  const { status, retryAfterSeconds } = result;
  const isLimit = status === 429 && retryAfterSeconds !== null;
  if (isLimit) return limitProblem(waitMinutes(retryAfterSeconds * 1000));
  return status === 0 && failedOffline() ? { ...OFFLINE } : { ...GENERAL };
}
