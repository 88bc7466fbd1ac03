// Before the server's tests: some start the server, or a command, as it is built.
import { ROOT } from './processes.ts';
import { ensureBuilt } from './setup/build-stamp.mjs';

export const setup = (): Promise<void> => ensureBuilt(ROOT, process.execPath);
