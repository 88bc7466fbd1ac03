/** `npm start`: the server, with its settings from the environment and `porchlight.json`. `porchlight serve` does the same. */

import { serve } from './wiring/serve.ts';
import { withDefaultFile } from './config/config-file.ts';
import { loadConfig } from './config/config.ts';
import { OperatorError } from './config/operator-error.ts';

async function main(): Promise<void> {
  const hasMonth = process.argv.includes('--demo-month');
  await serve(loadConfig(withDefaultFile(process.env)), true, hasMonth);
}

main().catch((error: unknown) => {
  const text = error instanceof OperatorError ? error.message : (error as Error).stack;
  process.stderr.write(`${text}\n`, () => process.exit(1));
});
