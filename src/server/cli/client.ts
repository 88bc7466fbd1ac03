/** `npm run client`: clients in the database, beside those of the settings file. */

import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { clientCommand as texts } from '#locales/en/client-command.ts';
import { fill } from '#locales/fill.ts';
import { type Command, type CommandContext, output } from './command.ts';
import { clientFaults } from '../config/client-file.ts';
import { hashToken, randomToken } from '../crypto/secret-box.ts';
import { OperatorError } from '../config/operator-error.ts';
import { createClientStore } from '../oauth-clients/registry.ts';

type Deps = Pick<CommandContext, 'db' | 'clock' | 'audit'> & { readonly isDemo: boolean };

export const client: Command = (words) => (at) =>
  at.withDatabase(async ({ config, ...context }) =>
    output(await runClientCommand({ ...context, isDemo: config.mode === 'demo' }, words)),
  );

/**
 * Does what the words of the command line ask for; returns what to print.
 * @throws OperatorError with what the operator can mend.
 */
export async function runClientCommand(
  { db, clock, audit, isDemo }: Deps,
  [verb, word = '', ...rest]: readonly string[],
): Promise<readonly string[]> {
  const store = createClientStore(db, () => clock.now(), { isDemo });
  if (rest.length > 0 || (word === '') !== (verb === 'list')) throw new OperatorError(texts.usage);
  switch (verb) {
    case 'list':
      return list();
    case 'add':
      return add(word);
    case 'remove':
      if (!(await store.remove(word))) throw new OperatorError(fill(texts.unknown, { id: word }));
      await audit({ kind: 'client.removed', details: { clientId: word } });
      return [fill(texts.removed, { id: word })];
    case 'rotate-secret': {
      const secret = await store.rotateSecret(word);
      if (!secret) throw new OperatorError(fill(texts.noSecret, { id: word }));
      await audit({ kind: 'client.secretRotated', details: { clientId: word } });
      return [fill(texts.secret, { secret })];
    }
    default:
      throw new OperatorError(texts.usage);
  }

  async function list(): Promise<readonly string[]> {
    const entries = await store.list();
    if (entries.length === 0) return [texts.none];
    return entries.map(({ id, name, firstParty, auth }) =>
      fill(texts.row, {
        id,
        name,
        kind: firstParty ? texts.firstParty : texts.thirdParty,
        auth: auth.method,
      }),
    );
  }

  async function add(file: string): Promise<readonly string[]> {
    const { given, secret } = withSecret(read(file));
    try {
      const entry = await store.add(given);
      if (!entry) throw new OperatorError(fill(texts.taken, { id: String(given.id) }));
      await audit({ kind: 'client.added', details: { clientId: entry.id } });
      const added = fill(texts.added, { id: entry.id });
      return secret === null ? [added] : [added, fill(texts.secret, { secret })];
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      const faults = clientFaults(error).map((fault) => `  - ${fault}`);
      throw new OperatorError([texts.faults, ...faults].join('\n'));
    }
  }
}

function read(file: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(readFileSync(file, 'utf8')) as object) };
  } catch (error) {
    throw new OperatorError(fill(texts.unreadable, { file, reason: (error as Error).message }));
  }
}

/** A client that proves itself with a secret and brings no hash gets a secret from us. */
function withSecret(given: Record<string, unknown>): {
  readonly given: Record<string, unknown>;
  readonly secret: string | null;
} {
  const auth = given.auth as { method?: unknown; secretHash?: unknown } | undefined;
  const needsOne = String(auth?.method).startsWith('client_secret_') && !auth?.secretHash;
  if (!needsOne) return { given, secret: null };
  const secret = randomToken();
  return { given: { ...given, auth: { ...auth, secretHash: hashToken(secret) } }, secret };
}
