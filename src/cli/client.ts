/** `porchlight client`: clients in the database, beside those of the settings file. */

import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { clientCommand as texts } from '#locales/operator/client-command.ts';
import { fill } from '#locales/fill.ts';
import { type CommandContext, type CommandOf, type Output, output, table } from './command.ts';
import { type ClientEntry, clientSchema } from '#server/config/client-file.ts';
import { hashToken, randomToken } from '#server/crypto/secret-box.ts';
import { fileFault } from '#server/config/fault-words.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { faultsIn, faultText } from '#server/config/setting.ts';
import { createClientStore } from '#server/oauth-clients/registry.ts';

/** `porchlight client`: clients in the database. */
export const client: CommandOf<'client'> = {
  list: () => (at) => at.withDatabase(async (context) => list(await storeOf(context).list())),

  show:
    ([id = '']) =>
    (at) =>
      at.withDatabase(async (context) => {
        const entry = await storeOf(context).find(id);
        if (!entry) throw unknown(id);
        const shown = { ...entry, auth: { ...entry.auth, secretHash: undefined } };
        return output([JSON.stringify(shown, null, 2)], shown);
      }),

  add:
    ([file = '']) =>
    (at) =>
      at.withDatabase((context) => add(context, readEntry(file))),

  set:
    ([file = '']) =>
    (at) =>
      at.withDatabase((context) => replace(context, readEntry(file))),

  'rotate-secret':
    ([id = '']) =>
    (at) =>
      at.withDatabase((context) =>
        changing(context, 'client.secretRotated', async (store) => {
          const secret = await store.rotateSecret(id);
          if (!secret) throw new OperatorError(fill(texts.noSecret, { id }));
          return output([fill(texts.secret, { secret })], { id, secret });
        }),
      ),

  remove:
    ([id = '']) =>
    (at) =>
      at.withDatabase(async (context) => {
        // A removal that was done before is no fault.
        if (!(await storeOf(context).find(id))) {
          return output([fill(texts.removedAlready, { id })], { id });
        }
        return changing(context, 'client.removed', async (store) => {
          await store.remove(id);
          return output([fill(texts.removed, { id })], { id });
        });
      }),
};

type Store = ReturnType<typeof createClientStore>;

const storeOf = ({ db, clock, config }: CommandContext): Store =>
  createClientStore(db, () => clock.now(), { isDemo: config.mode === 'demo' });

const unknown = (id: string) => new OperatorError(fill(texts.unknown, { id }));

/** Changes a client in one transaction with its event; faults of its file are told one a line. */
async function changing(
  context: CommandContext,
  kind: string,
  work: (store: Store) => Promise<Output<{ readonly id: string }>>,
): Promise<Output> {
  try {
    return await context.db.transaction().execute(async (db) => {
      const done = await work(storeOf({ ...context, db }));
      await context.audit({ kind, details: { clientId: done.data.id } }, db);
      return done;
    });
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const faults = faultsIn(error).map((fault) => `  - ${faultText(fault)}`);
    throw new OperatorError([texts.faults, ...faults].join('\n'));
  }
}

async function add(context: CommandContext, read: Record<string, unknown>): Promise<Output> {
  const id = String(read.id);
  const there = await storeOf(context).find(id);
  if (there) {
    if (!isSame(context, there, read)) throw new OperatorError(fill(texts.taken, { id }));
    return output([fill(texts.addedAlready, { id })], { id });
  }
  return changing(context, 'client.added', async (store) => {
    const { given, secret } = withSecret(read, null);
    if (!(await store.add(given))) throw new OperatorError(fill(texts.taken, { id }));
    return saved(texts.added, id, secret);
  });
}

async function replace(context: CommandContext, read: Record<string, unknown>): Promise<Output> {
  const id = String(read.id);
  return changing(context, 'client.changed', async (store) => {
    const { given, secret } = withSecret(read, await store.find(id));
    if (!(await store.replace(given))) throw unknown(id);
    return saved(texts.changed, id, secret);
  });
}

function saved(said: string, id: string, secret: string | null): Output<{ readonly id: string }> {
  const lines = [fill(said, { id })];
  if (secret === null) return output(lines, { id });
  return output([...lines, fill(texts.secret, { secret })], { id, secret });
}

/** Returns whether a file equals the stored client. The secret counts only where the file names its hash. */
function isSame(
  { config }: CommandContext,
  there: ClientEntry,
  read: Record<string, unknown>,
): boolean {
  const schema = clientSchema({ isDemo: config.mode === 'demo' });
  const { data } = schema.safeParse(withSecret(read, there).given);
  // As it would be stored, without members that are undefined.
  return data !== undefined && isDeepStrictEqual(JSON.parse(JSON.stringify(data)), there);
}

function list(entries: readonly ClientEntry[]): Output {
  const data = entries.map(({ id, name, firstParty, auth }) => ({
    id,
    name,
    firstParty,
    auth: auth.method,
  }));
  if (data.length === 0) return output([texts.none], data);
  const rows = data.map(({ id, name, firstParty, auth }) => [
    id,
    name,
    firstParty ? texts.firstParty : texts.thirdParty,
    auth,
  ]);
  return output(table(texts.header, rows), data);
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
