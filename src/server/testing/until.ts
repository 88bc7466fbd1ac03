import { vi } from 'vitest';

/** How long something takes is the machine's affair; Vitest's own limit is a second, which a busy one needs. */
const PATIENCE = { timeout: 100_000, interval: 20 };

/** Waits for the work that a server does by itself. */
export const until = <T>(isSo: () => T | Promise<T>) => vi.waitUntil(isSo, PATIENCE);

/** The same for assertions: until none of them fails. */
export const untilHolds = <T>(assert: () => T | Promise<T>) => vi.waitFor(assert, PATIENCE);
