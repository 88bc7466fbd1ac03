import { setFlagsFromString } from 'node:v8';

/**
 * By so much the heap may grow beyond what was in use before V8 looks again; its own choice is up to four times. No
 * limit: a process that needs more gets it (docs/operations/sizing.md).
 */
const HEAP_GROWTH_PERCENT = 40;

/** Keeps the memory of a process that works for long near what it needs. */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  // 8 MiB of new objects are soon looked through. Helpers would wait for cores that hash passwords, and all requests for them.
  setFlagsFromString('--no-parallel-scavenge');
}
