import type { KeyAssertion, KeyCreation } from '#contract/passkeys.ts';

/** Returns the challenge that an answer names; '' where it names none. Only the stored challenge counts. */
export function challengeIn(answer: KeyAssertion | KeyCreation): string {
  const data = clientDataOf(answer);
  // A page of ours in a frame of another site: the person sees that site.
  if (data.crossOrigin === true) return '';
  return typeof data.challenge === 'string' ? data.challenge : '';
}

function clientDataOf({ response }: KeyAssertion | KeyCreation): Readonly<Record<string, unknown>> {
  try {
    const text = Buffer.from(response.clientDataJSON, 'base64url').toString('utf8');
    const data: unknown = JSON.parse(text);
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
