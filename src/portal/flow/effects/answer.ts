import { waitMinutes } from '#domain/text/duration.ts';
import type { FlowEvent } from '#domain/flow/event.ts';
import type { Failure } from '../../lib/api.ts';
import { failedOffline } from '../../lib/online.ts';
import { captcha } from '#texts/captcha.ts';

/** Returns the event of a failed call that a step does not handle itself. */
export function failureEvent(result: Failure): FlowEvent {
  if (result.kind === 'refused') return { type: 'failed' };
  if (result.status === 401) return { type: 'sessionEnded' };
  if (result.status === 429) return limitEvent(result.retryAfterSeconds);
  return result.status === 0 ? unanswered() : { type: 'failed' };
}

/** Returns the event of a call without an answer: the browser is offline, or another failure. */
export function unanswered(): FlowEvent {
  return { type: failedOffline() ? 'offline' : 'failed' };
}

/**
 * Returns the same for a step that the server may have closed meanwhile: then the flow moves to the visit's current
 * step.
 */
export function lostOr(result: Failure): FlowEvent {
  const isLost = result.errorFlag === 'FORBIDDEN' || result.errorFlag === 'CONFLICT';
  return isLost ? { type: 'stepLost' } : failureEvent(result);
}

/** Returns the event of a refusal by a limit. */
export function limitEvent(seconds: number | null): FlowEvent {
  return { type: 'limited', minutes: waitMinutes((seconds ?? 0) * 1000) };
}

/** Returns the event of a browser that cannot solve the captcha. */
export function captchaFailed(): FlowEvent {
  return { type: 'captchaFailed', text: captcha.failed };
}
