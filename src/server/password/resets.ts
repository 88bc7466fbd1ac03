import type { ServerContext } from '../context.ts';
import { createAskReset } from './ask-reset.ts';
import type { ResetPorts, Resets } from './reset-ports.ts';
import { createUseReset } from './use-reset.ts';

/** Forgotten passwords: links of 256 bits; the newest alone works, and only a new password uses it up. */
export const createResets = (context: ServerContext, ports: ResetPorts): Resets => ({
  ...createAskReset(context, ports),
  ...createUseReset(context, ports),
});
