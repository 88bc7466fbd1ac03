/** `porchlight client`: clients in the database, beside those of the settings file. */

import { readFileSync } from 'node:fs';
import { clientCommand as texts } from '#locales/operator/client-command.ts';
import { fill } from '#locales/fill.ts';
import {
  addClient,
  type ClientSaved,
  clientsOf,
  removeClient,
  replaceClient,
  rotateClientSecret,
  shownClient,
} from '#server/identity-provider/oauth-clients/client-operations.ts';
import type { ClientEntry } from '#server/config/client-file.ts';
import { fileFault } from '#server/config/fault-words.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { type CommandContext, type CommandOf, type Output, output, table } from './command.ts';
import { onDatabase } from './on-database.ts';

/** `porchlight client`: clients in the database. */
export const client: CommandOf<'client'> = {
  list: () => onDatabase(async (context) => list(await clientsOf(context).list())),

  show: ([id = '']) =>
    onDatabase(async (context) => {
      const entry = await clientsOf(context).find(id);
      if (!entry) throw new OperatorError(fill(texts.unknown, { id }));
      const shown = shownClient(entry);
      return output([JSON.stringify(shown, null, 2)], shown);
    }),

  add: ([file = '']) => onDatabase((context) => add(context, readEntry(file))),

  set: ([file = '']) =>
    onDatabase(async (context) =>
      saved(texts.changed, await replaceClient(context, readEntry(file))),
    ),

  'rotate-secret': ([id = '']) =>
    onDatabase(async (context) => {
      const { secret } = await rotateClientSecret(context, id);
      return output([fill(texts.secret, { secret: secret ?? '' })], { id, secret });
    }),

  remove: ([id = '']) =>
    onDatabase(async (context) => {
      const said = (await removeClient(context, id)) ? texts.removed : texts.removedAlready;
      return output([fill(said, { id })], { id });
    }),
};

async function add(context: CommandContext, read: Record<string, unknown>): Promise<Output> {
  const outcome = await addClient(context, read);
  if (outcome !== 'already') return saved(texts.added, outcome);
  const id = String(read.id);
  return output([fill(texts.addedAlready, { id })], { id });
}

function saved(said: string, { id, secret }: ClientSaved): Output {
  const lines = [fill(said, { id })];
  if (secret === null) return output(lines, { id });
  return output([...lines, fill(texts.secret, { secret })], { id, secret });
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
