import type { ServerContext } from '../../core/context.ts';
import { createAskReset } from './ask-reset.ts';
import type { ResetPorts } from './reset-ports.ts';
import { createUseReset } from './use-reset.ts';

export type Resets = ReturnType<typeof createResets>;

/** Creates password resets by links of 256 bits: only the newest is valid, and only a new password uses it up. */
export const createResets = (context: ServerContext, ports: ResetPorts) => ({
  ...createAskReset(context, ports),
  ...createUseReset(context, ports),
});
