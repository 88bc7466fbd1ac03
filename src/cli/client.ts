/** `porchlight client`: clients in the database, beside those of the settings file. */

import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { clientCommand as texts } from '#locales/operator/client-command.ts';
import { fill } from '#locales/fill.ts';
import { type Command, type CommandContext, type Output, output, wrongUsage } from './command.ts';
import type { ClientEntry } from '#server/config/client-file.ts';
import { hashToken, randomToken } from '#server/crypto/secret-box.ts';
import { fileFault } from '#server/config/fault-words.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { faultsIn, faultText } from '#server/config/setting.ts';
import { createClientStore } from '#server/oauth-clients/registry.ts';

type Deps = Pick<CommandContext, 'db' | 'clock' | 'audit'> & { readonly isDemo: boolean };

const VERBS = ['list', 'show', 'add', 'set', 'remove', 'rotate-secret'];

export const client: Command = (words) => {
  const [verb = '', word = '', ...rest] = words;
  const isMeant = VERBS.includes(verb) && (word === '') === (verb === 'list');
  if (!isMeant || rest.length > 0) throw wrongUsage('client');
  return (at) =>
    at.withDatabase(({ config, ...context }) =>
      runClientCommand({ ...context, isDemo: config.mode === 'demo' }, words),
    );
};

/**
 * Does what the words of the command line ask for, in one transaction with its event.
 * @throws OperatorError with what the operator can mend.
 */
async function runClientCommand(
  { db, clock, audit, isDemo }: Deps,
  [verb, word = '']: readonly string[],
): Promise<Output> {
  const storeIn = (on: CommandContext['db']) =>
    createClientStore(on, () => clock.now(), { isDemo });
  const unknown = () => new OperatorError(fill(texts.unknown, { id: word }));
  switch (verb) {
    case 'list':
      return list(await storeIn(db).list());
    case 'show': {
      const entry = await storeIn(db).find(word);
      if (!entry) throw unknown();
      const shown = { ...entry, auth: { ...entry.auth, secretHash: undefined } };
      return output([JSON.stringify(shown, null, 2)], shown);
    }
    case 'add':
      return save(word, 'client.added');
    case 'set':
      return save(word, 'client.changed');
    case 'remove':
      return changing('client.removed', async (store) => {
        if (!(await store.remove(word))) throw unknown();
        return output([fill(texts.removed, { id: word })], { id: word });
      });
    default:
      return changing('client.secretRotated', async (store) => {
        const secret = await store.rotateSecret(word);
        if (!secret) throw new OperatorError(fill(texts.noSecret, { id: word }));
        return output([fill(texts.secret, { secret })], { id: word, secret });
      });
  }

  function changing(
    kind: string,
    work: (store: ReturnType<typeof storeIn>) => Promise<Output<{ readonly id: string }>>,
  ): Promise<Output> {
    return db.transaction().execute(async (transaction) => {
      const done = await work(storeIn(transaction));
      await audit({ kind, details: { clientId: done.data.id } }, transaction);
      return done;
    });
  }

  async function save(file: string, kind: 'client.added' | 'client.changed'): Promise<Output> {
    const isNew = kind === 'client.added';
    const read = readEntry(file);
    try {
      return await changing(kind, async (store) => {
        const old = isNew ? null : await store.find(String(read.id));
        const { given, secret } = withSecret(read, old);
        const entry = isNew ? await store.add(given) : await store.replace(given);
        const id = String(given.id);
        if (!entry) throw new OperatorError(fill(isNew ? texts.taken : texts.unknown, { id }));
        const said = fill(isNew ? texts.added : texts.changed, { id });
        return secret === null
          ? output([said], { id })
          : output([said, fill(texts.secret, { secret })], { id, secret });
      });
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      const faults = faultsIn(error).map((fault) => `  - ${faultText(fault)}`);
      throw new OperatorError([texts.faults, ...faults].join('\n'));
    }
  }
}

function list(entries: readonly ClientEntry[]): Output {
  const data = entries.map(({ id, name, firstParty, auth }) => ({
    id,
    name,
    firstParty,
    auth: auth.method,
  }));
  if (data.length === 0) return output([texts.none], data);
  const lines = data.map(({ firstParty, ...row }) =>
    fill(texts.row, { ...row, kind: firstParty ? texts.firstParty : texts.thirdParty }),
  );
  return output(lines, data);
}

function readEntry(file: string): Record<string, unknown> {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new OperatorError(fill(texts.unreadable, { file, reason: fileFault(error) }));
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new OperatorError(fill(texts.notOne, { file }));
  }
  return { ...read };
}

type Auth = { readonly method?: unknown; readonly secretHash?: unknown };

/** A client that proves itself with a secret and brings no hash keeps the one it has, or gets a secret from us. */
function withSecret(
  given: Record<string, unknown>,
  old: ClientEntry | null,
): {
  readonly given: Record<string, unknown>;
  readonly secret: string | null;
} {
  const auth = given.auth as Auth | undefined;
  const needsOne = String(auth?.method).startsWith('client_secret_') && !auth?.secretHash;
  if (!needsOne) return { given, secret: null };
  const kept = old && 'secretHash' in old.auth ? old.auth.secretHash : null;
  const secret = kept === null ? randomToken() : null;
  const secretHash = kept ?? hashToken(secret ?? '');
  return { given: { ...given, auth: { ...auth, secretHash } }, secret };
}
