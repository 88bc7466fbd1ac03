/** When a request came in, for what is counted from there. */

import type { IncomingMessage } from 'node:http';

const arrivals = new WeakMap<IncomingMessage, number>();

export function noteArrival(req: IncomingMessage, at = Date.now()): void {
  arrivals.set(req, at);
}

/** Milliseconds since 1970; now for a request that nobody noted. */
export const arrivedAt = (req: IncomingMessage): number => arrivals.get(req) ?? Date.now();
