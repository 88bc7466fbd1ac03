/** `porchlight client`: clients in the database, beside those of the settings file. */

import { clientCommand as texts } from '#locales/operator/client-command.ts';
import { fill } from '#locales/fill.ts';
import {
  addClient,
  type ClientSaved,
  clientStoreOf,
  removeClient,
  replaceClient,
  rotateClientSecret,
  shownClient,
} from '#server/identity-provider/oauth-clients/client-operations.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { type CommandOf, tableLines, onDatabase, type Output, output } from './command.ts';
import { readEntry } from './entry-file.ts';

export const client: CommandOf<'client'> = {
  list: () =>
    onDatabase(async (context) => {
      const data = (await clientStoreOf(context).list()).map(
        ({ id, name, firstParty, auth: { method: auth } }) => ({ id, name, firstParty, auth }),
      );
      const cells = ({ id, name, firstParty, auth }: (typeof data)[number]) => [
        id,
        name,
        firstParty ? texts.firstParty : texts.thirdParty,
        auth,
      ];
      return tableLines(data, texts.header, cells, texts.none);
    }),

  show: ([id = '']) =>
    onDatabase(async (context) => {
      const entry = await clientStoreOf(context).find(id);
      if (!entry) throw new OperatorError(fill(texts.unknown, { id }));
      const shown = shownClient(entry);
      return output([JSON.stringify(shown, null, 2)], shown);
    }),

  add: ([file = '']) =>
    onDatabase(async (context) => {
      const read = readEntry(file, texts);
      const outcome = await addClient(context, read);
      if (outcome !== 'already') return saved(texts.added, outcome);
      const id = String(read.id);
      return output([fill(texts.addedAlready, { id })], { id });
    }),

  set: ([file = '']) =>
    onDatabase(async (context) =>
      saved(texts.changed, await replaceClient(context, readEntry(file, texts))),
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

function saved(said: string, { id, secret }: ClientSaved): Output {
  const lines = [fill(said, { id })];
  if (secret === null) return output(lines, { id });
  return output([...lines, fill(texts.secret, { secret })], { id, secret });
}
