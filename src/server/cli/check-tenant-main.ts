/** The door of `npm run check-tenant`: the same settings as the server's own; nothing is changed anywhere. */

import { tenantCheck as texts } from '#locales/en/tenant-check.ts';
import { loadConfig } from '../config/config.ts';
import { checkConfigured } from '../identity-provider/auth0-tenant/check-configured.ts';
import { OperatorError } from '../config/operator-error.ts';

async function main(): Promise<void> {
  const result = await checkConfigured(loadConfig(process.env));
  process.stdout.write(`${(result?.lines ?? [texts.embedded]).join('\n')}\n`);
  if (result && result.count > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  const text = error instanceof OperatorError ? error.message : (error as Error).stack;
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
});
