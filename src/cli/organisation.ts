/** `porchlight organisation`: organizations whose people sign in by a provider of their own (ORG-04). */

import * as z from 'zod';
import { fill } from '#locales/fill.ts';
import { organisationCommand as texts } from '#locales/operator/organisation-command.ts';
import { findByWord } from '#server/accounts/person.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import {
  addOrganisation,
  makeBearer,
  removeOrganisation,
  replaceOrganisation,
  setClientSecret,
  shownOrganisation,
} from '#server/organisations/organisation-operations.ts';
import { offerHandOver } from '#server/organisations/hand-over.ts';
import { redirectUriOf } from '#server/organisations/organisation-paths.ts';
import { findOrganisation, listOrganisations } from '#server/organisations/organisation-store.ts';
import { checkOrganisations } from '#server/organisations/upstream.ts';
import { type CommandOf, onDatabase, output, tableLines } from './command.ts';
import { report } from './doctor/doctor.ts';
import { readEntry, readText } from './entry-file.ts';

export const organisation: CommandOf<'organisation'> = {
  list: () =>
    onDatabase(async ({ db }) => {
      const rows = (await listOrganisations(db)).map((row) => {
        const { id, subtenantId, label, issuer, on: isOn } = row;
        return { id, subtenantId, label, issuer, isOn };
      });
      return tableLines(
        rows,
        texts.header,
        ({ isOn, ...row }) => [...Object.values(row), isOn ? texts.isOn : texts.isOff],
        texts.none,
      );
    }),

  show: ([id = '']) =>
    onDatabase(async ({ db, config }) => {
      const row = await findOrganisation(db, id);
      if (!row) throw new OperatorError(fill(texts.unknown, { id }));
      const shown = { ...shownOrganisation(row), redirectUri: redirectUriOf(config, id) };
      return output([JSON.stringify(shown, null, 2)], shown);
    }),

  add: ([file = ''], { 'even-so': evenSo }) =>
    onDatabase(async (context) => {
      const given = readEntry(file, texts);
      const id = String(given.id);
      const outcome = await addOrganisation(context, given, { evenSo });
      if (outcome === 'already') return output([fill(texts.addedAlready, { id })], { id });
      const data = { id, redirectUri: redirectUriOf(context.config, id) };
      return output([fill(texts.added, data), fill(texts.redirect, data)], data);
    }),

  set: ([file = ''], { 'even-so': evenSo }) =>
    onDatabase(async (context) => {
      const given = readEntry(file, texts);
      const id = String(given.id);
      await replaceOrganisation(context, given, { evenSo });
      return output([fill(texts.changed, { id })], { id });
    }),

  'rotate-secret': ([id = '', file = ''], { ends }) => {
    const endsAt = ends === undefined ? null : dayIn(ends);
    return onDatabase(async (context) => {
      const text = readText(file, texts).trim();
      if (!/^[\x21-\x7E]{1,1000}$/.test(text)) throw new OperatorError(texts.badSecret);
      await setClientSecret(context, id, { text, endsAt });
      return output([fill(texts.secretChanged, { id })], { id });
    });
  },

  bearer: ([id = '']) =>
    onDatabase(async (context) => {
      const bearer = await makeBearer(context, id);
      return output([fill(texts.bearer, { bearer })], { id, bearer });
    }),

  'hand-over': ([email = '']) =>
    onDatabase(async (context) => {
      const account = await findByWord(context.db, email);
      if (!account) throw new OperatorError(fill(texts.noPerson, { email }));
      await offerHandOver(context, account);
      return output([fill(texts.offered, { email: account.email })], { id: account.id });
    }),

  check: ([id]) =>
    onDatabase(async (context) => {
      const all = await listOrganisations(context.db);
      const asked = id === undefined ? all : all.filter((each) => each.id === id);
      if (id !== undefined && asked.length === 0)
        throw new OperatorError(fill(texts.unknown, { id }));
      return report(await checkOrganisations(context, asked));
    }),

  remove: ([id = '']) =>
    onDatabase(async (context) => {
      const isRemoved = await removeOrganisation(context, id);
      return output([fill(isRemoved ? texts.removed : texts.removedAlready, { id })], { id });
    }),
};

function dayIn(text: string): Date {
  if (!z.iso.date().safeParse(text).success) throw new OperatorError(texts.badDay);
  return new Date(text);
}
