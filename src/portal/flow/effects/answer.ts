import { waitMinutes } from '#domain/duration.ts';
import type { FlowEvent } from '#domain/flow/state.ts';
import type { ApiResult } from '../../lib/api.ts';
import { failedOffline } from '../../lib/online.ts';
import { captcha } from '#texts/captcha.ts';

/** The event of a failed call, where a step has no case of its own. */
export function failureOf(result: Exclude<ApiResult<unknown>, { kind: 'ok' }>): FlowEvent {
  if (result.kind === 'refused') return { type: 'failed' };
  if (result.status === 401) return { type: 'sessionEnded' };
  if (result.status === 429) return limitedFor(result.retryAfterSeconds);
  return result.status === 0 ? unanswered() : { type: 'failed' };
}

/** Nothing came back: the browser is offline, or something else went wrong. */
export function unanswered(): FlowEvent {
  return { type: failedOffline() ? 'offline' : 'failed' };
}

/** The same at a step that the server may have closed meanwhile: then the flow goes to the current step of the visit. */
export function lostOr(result: Exclude<ApiResult<unknown>, { kind: 'ok' }>): FlowEvent {
  const isLost = result.errorFlag === 'FORBIDDEN' || result.errorFlag === 'CONFLICT';
  return isLost ? { type: 'stepLost' } : failureOf(result);
}

export function limitedFor(seconds: number | null): FlowEvent {
  return { type: 'limited', minutes: waitMinutes((seconds ?? 0) * 1000) };
}

/** This browser cannot solve the captcha. */
export function captchaFailed(): FlowEvent {
  return { type: 'captchaFailed', text: captcha.failed };
}
