import type { ServerContext } from '../context.ts';

/** What an operation on a person works with. `audit` names who does it. */
export type AdminContext = Pick<ServerContext, 'db' | 'clock' | 'config' | 'secretBox' | 'audit'>;
