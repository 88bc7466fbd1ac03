import type { EventKind } from '#locales/operator/events.ts';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { fill } from '#locales/fill.ts';
import { clientCommand as texts } from '#locales/operator/client-command.ts';
import { type ClientEntry, clientSchema } from '../../config/client-file.ts';
import { OperatorError } from '../../config/operator-error.ts';
import { settingFaults, faultText } from '../../config/setting.ts';
import { hashToken, randomToken } from '../../crypto/secret-box.ts';
import { createClientStore } from './registry.ts';
import type { AdminContext } from '../../core/context.ts';

type Context = Pick<AdminContext, 'db' | 'clock' | 'config' | 'audit'>;
type Given = Record<string, unknown>;
type Store = ReturnType<typeof createClientStore>;

/** `secret`: the new one, told once; `null` when the client has none or keeps its own. */
export type ClientSaved = { readonly id: string; readonly secret: string | null };

/** Returns the store of the clients in the database. */
export const clientStoreOf = ({
  db,
  clock,
  config,
}: Pick<Context, 'db' | 'clock' | 'config'>): Store =>
  createClientStore(db, () => clock.now(), { isDemo: config.mode === 'demo' });

/** Changes a client in one transaction with its event. @throws OperatorError with the faults, one a line */
async function changing<Done extends { readonly id: string }>(
  context: Context,
  kind: EventKind,
  work: (store: Store) => Promise<Done>,
): Promise<Done> {
  try {
    return await context.db.transaction().execute(async (db) => {
      const done = await work(clientStoreOf({ ...context, db }));
      await context.audit({ kind, details: { clientId: done.id } }, db);
      return done;
    });
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const faults = settingFaults(error).map((fault) => `  - ${faultText(fault)}`);
    throw new OperatorError([texts.faults, ...faults].join('\n'));
  }
}

/** Adds a client. @returns `already` when it exists as given @throws OperatorError when it exists and differs */
export async function addClient(context: Context, read: Given): Promise<ClientSaved | 'already'> {
  const id = String(read.id);
  const there = await clientStoreOf(context).find(id);
  if (there) {
    if (!isSame(context, there, read)) throw new OperatorError(fill(texts.taken, { id }));
    return 'already';
  }
  return changing(context, 'client.added', async (store) => {
    const { given, secret } = withSecret(read, null);
    if (!(await store.add(given))) throw new OperatorError(fill(texts.taken, { id }));
    return { id, secret };
  });
}

/** Replaces a client. @throws OperatorError */
export async function replaceClient(context: Context, read: Given): Promise<ClientSaved> {
  const id = String(read.id);
  return changing(context, 'client.changed', async (store) => {
    const { given, secret } = withSecret(read, await store.find(id));
    if (!(await store.replace(given))) throw new OperatorError(fill(texts.unknown, { id }));
    return { id, secret };
  });
}

/** Gives a client a new secret in place of its own. @throws OperatorError when it has none */
export async function rotateClientSecret(context: Context, id: string): Promise<ClientSaved> {
  return changing(context, 'client.secretRotated', async (store) => {
    const secret = await store.rotateSecret(id);
    if (!secret) throw new OperatorError(fill(texts.noSecret, { id }));
    return { id, secret };
  });
}

/** Removes a client. @returns whether there was one */
export async function removeClient(context: Context, id: string): Promise<boolean> {
  // A removal that was done before is no fault.
  if (!(await clientStoreOf(context).find(id))) return false;
  await changing(context, 'client.removed', async (store) => {
    await store.remove(id);
    return { id };
  });
  return true;
}

/** Returns a client as its file would have it, without the hash of its secret. */
export const shownClient = (entry: ClientEntry) => ({
  ...entry,
  auth: { ...entry.auth, secretHash: undefined },
});

/** Returns whether a file equals the stored client. The secret counts only where the file names its hash. */
function isSame({ config }: Pick<Context, 'config'>, there: ClientEntry, read: Given): boolean {
  const schema = clientSchema({ isDemo: config.mode === 'demo' });
  const { data } = schema.safeParse(withSecret(read, there).given);
  // As it would be stored, without members that are undefined.
  return data !== undefined && isDeepStrictEqual(JSON.parse(JSON.stringify(data)), there);
}

type Auth = { readonly method?: unknown; readonly secretHash?: unknown };

/** A client that proves itself with a secret and brings no hash keeps the one it has, or gets a secret from us. */
function withSecret(
  given: Given,
  old: ClientEntry | null,
): { readonly given: Given; readonly secret: string | null } {
  const auth = given.auth as Auth | undefined;
  const needsOne = String(auth?.method).startsWith('client_secret_') && !auth?.secretHash;
  if (!needsOne) return { given, secret: null };
  const kept = old && 'secretHash' in old.auth ? old.auth.secretHash : null;
  const secret = kept === null ? randomToken() : null;
  const secretHash = kept ?? hashToken(secret ?? '');
  return { given: { ...given, auth: { ...auth, secretHash } }, secret };
}
