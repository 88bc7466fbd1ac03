import * as z from 'zod';
import type { ListRow } from '#contract/console.ts';
import { fill } from '#locales/fill.ts';
import { clientCommand } from '#locales/operator/client-command.ts';
import { clientsDesk as texts } from '#locales/operator/console-areas.ts';
import {
  addClient,
  type ClientSaved,
  clientStoreOf,
  removeClient,
  replaceClient,
  rotateClientSecret,
  shownClient,
} from '../../identity-provider/oauth-clients/client-operations.ts';
import type { ClientEntry } from '../../config/client-file.ts';
import { OperatorError } from '../../config/operator-error.ts';
import type { FullContext } from '../../access/context.ts';
import { type DeskArea, type DeskForm, formsOf, type Ran, searchedList } from '../desk-area.ts';
import { field, linkTo, optionsOf, readFields } from '../form-fields.ts';

const linesIn = (text = '') => text.split(/\s+/).filter(Boolean);

/** A new secret is told once; without one the list says that it is done. */
const told = (said: string, { id, secret }: ClientSaved): Ran | undefined =>
  secret === null ? undefined : { told: { lines: [fill(said, { id }), texts.secretOnce], secret } };

/** Creates the operators' pages of clients, over the functions of `porchlight client`. */
export function clientsArea(context: FullContext): DeskArea {
  const add: DeskForm = {
    title: texts.addTitle,
    lead: texts.addLead,
    changes: texts.addChanges,
    submit: texts.addTitle,
    fields: ADD_FIELDS,
    async run({ typed, admin }) {
      const { clientId: id, name, method } = typed;
      const outcome = await addClient(admin, {
        id,
        name,
        firstParty: typed.firstParty === 'on',
        redirectUris: linesIn(typed.redirectUris),
        postLogoutRedirectUris: linesIn(typed.postLogoutRedirectUris),
        auth: { method },
      });
      return outcome === 'already' ? undefined : told(clientCommand.added, outcome);
    },
  };

  const verbs = {
    set: (entry: ClientEntry): DeskForm => ({
      title: fill(texts.setTitle, { id: entry.id }),
      lead: texts.setLead,
      changes: texts.setChanges,
      submit: texts.save,
      fields: [
        field('longText', 'definition', texts.definition, {
          hint: texts.definitionHint,
          value: JSON.stringify(shownClient(entry), null, 2),
        }),
      ],
      async run({ typed, admin }) {
        const { definition } = await readFields({
          definition: () => definitionIn(typed.definition ?? '', entry.id),
        });
        return told(clientCommand.changed, await replaceClient(admin, definition));
      },
    }),
    rotate: ({ id, auth }: ClientEntry): DeskForm | null =>
      'secretHash' in auth
        ? {
            title: fill(texts.rotateTitle, { id }),
            changes: texts.rotateChanges,
            submit: texts.rotate,
            isGrave: true,
            run: async ({ admin }) =>
              told(clientCommand.changed, await rotateClientSecret(admin, id)),
          }
        : null,
    remove: ({ id }: ClientEntry): DeskForm => ({
      title: fill(texts.removeTitle, { id }),
      changes: texts.removeChanges,
      submit: texts.remove,
      isGrave: true,
      run: ({ admin }) => removeClient(admin, id),
    }),
  };

  const rowOf = (entry: ClientEntry): ListRow => ({
    id: entry.id,
    cells: [
      entry.name,
      entry.id,
      entry.firstParty ? clientCommand.firstParty : clientCommand.thirdParty,
      entry.auth.method,
    ],
    actions: (['set', 'rotate', 'remove'] as const)
      .filter((verb) => verbs[verb](entry))
      .map((verb) => linkTo(LABELS[verb], 'clients', entry.id, verb)),
  });

  return {
    area: 'clients',
    texts: texts.list,
    list: searchedList(
      texts.search,
      async () => (await clientStoreOf(context).list()).map(rowOf),
      () => [linkTo(texts.addTitle, 'clients', 'add')],
    ),
    form: formsOf({ add }, clientStoreOf(context).find, verbs),
  };
}

const LABELS = { set: texts.change, rotate: texts.rotate, remove: texts.remove };

const METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const;

const ADD_FIELDS = [
  field('text', 'clientId', texts.id, { hint: texts.idHint }),
  field('text', 'name', texts.name, { hint: texts.nameHint }),
  field('longText', 'redirectUris', texts.redirectUris, { hint: texts.urisHint }),
  field('longText', 'postLogoutRedirectUris', texts.postLogout),
  field('select', 'method', texts.method, {
    options: optionsOf(METHODS, (method) => texts.methods[method]),
  }),
  field('check', 'firstParty', texts.firstParty, { hint: texts.firstPartyHint }),
];

/** Reads a definition; a form changes the client of its address alone. @throws OperatorError */
function definitionIn(text: string, id: string): Record<string, unknown> {
  try {
    return { ...z.looseObject({}).parse(JSON.parse(text)), id };
  } catch {
    throw new OperatorError(texts.noJson);
  }
}
