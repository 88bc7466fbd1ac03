import { TransientError } from '../jobs/errors.ts';
import { tracedFetch } from './tracing/span.ts';

type Outbound = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds for the whole answer (security R34). */
  readonly timeoutMs: number;
  /** Cancels it earlier. */
  readonly signal?: AbortSignal;
};

const LONGEST_ANSWER = 64 * 1024;

/**
 * Posts to a provider and returns its answer of any status; does not follow a redirect, because the key would be sent
 * along.
 * @throws TransientError when there is no answer in time, or one that is not HTTP
 */
export async function postOut({ url, timeoutMs, signal, ...sent }: Outbound) {
  try {
    const limit = AbortSignal.timeout(timeoutMs);
    const response = await tracedFetch(url, {
      ...sent,
      method: 'POST',
      redirect: 'manual',
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    });
    return { status: response.status, text: await readShort(response) };
  } catch (error) {
    throw new TransientError(describe(error));
  }
}

async function readShort(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop closes the connection.
    if (text.length > LONGEST_ANSWER) break;
  }
  return text;
}

/** Describes the failure without the address, which may hold a key. */
function describe(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  if (name === 'TimeoutError') return 'timeout: no whole answer in time';
  return `no answer: ${cause?.code ?? name ?? 'unknown'}`;
}

/** HTTP refusals that may pass by themselves: too slow, too early, too often. */
const PASSING = new Set([408, 425, 429]);

/** Returns whether the same request would be refused again. */
export function isFinalRefusal(status: number): boolean {
  return status >= 300 && status < 500 && !PASSING.has(status);
}
