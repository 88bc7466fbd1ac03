import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Answers a form that was run. */
export type Outcome = (reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** The field whose value each drawn page has for itself. */
export const ONCE_FIELD = 'once';

/** Longer than a double click. */
const KEPT_MS = 2000;
/** More only in a flood, and then the oldest are forgotten. */
const MOST_KEPT = 200;

/**
 * Runs a form once, however often it comes from one page: the second press of a double click gets the answer of the
 * first, cookies included, for both may arrive before there is a visit. Nobody else knows what the page has for itself.
 * Kept in this process alone.
 */
export function createAnswerOnce() {
  const kept = new Map<string, Promise<Outcome>>();
  return (
    { url, body }: Pick<FastifyRequest, 'url' | 'body'>,
    sent: FormData,
    run: () => Promise<Outcome>,
  ): Promise<Outcome> => {
    if (!sent.get(ONCE_FIELD)) return run();
    const form = createHash('sha256')
      .update(JSON.stringify([url, body]))
      .digest('base64');
    const known = kept.get(form);
    if (known) return known;
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? '');
    const outcome = run();
    kept.set(form, outcome);
    const forget = () => void kept.delete(form);
    // What failed may be sent again at once.
    outcome.then(() => setTimeout(forget, KEPT_MS).unref(), forget);
    return outcome;
  };
}
