import { next } from '#domain/flow.ts';
import { authenticate, checkSession } from '../lib/identity-client.ts';
import type { Deps } from './effects/deps.ts';
import { createPerform } from './effects/perform.ts';
import type { Engine } from './flow.ts';

/** All that moves the flow, as one chunk. */
export function createEngine(deps: Omit<Deps, 'identity'>): Engine {
  const identity = { authenticate, checkSession };
  return { next, perform: createPerform({ ...deps, identity }) };
}
