/** What an operator does with organisations: each act one transaction with its audit event (ORG-01). */

import { isDeepStrictEqual } from 'node:util';
import type { Updateable } from 'kysely';
import { fill } from '#locales/fill.ts';
import type { EventKind } from '#locales/operator/events.ts';
import { organisationCommand as texts } from '#locales/operator/organisation-command.ts';
import { faultWords } from '../config/fault-words.ts';
import { OperatorError } from '../config/operator-error.ts';
import { type Fault, faultText, settingFaults } from '../config/setting.ts';
import type { DeedContext } from '../access/context.ts';
import { signOut } from '../access/sessions.ts';
import { openLinks } from '../accounts/organisation-links.ts';
import { hashToken, randomToken } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { listSubtenants } from '../subtenants/subtenant-store.ts';
import {
  type Insisting,
  type OrganisationEntry,
  organisationSchema,
} from './organisation-entry.ts';
import { findOrganisation, listOrganisations, type Organisation } from './organisation-store.ts';

type Context = DeedContext;
type Given = Readonly<Record<string, unknown>>;

/** Reads an organisation. @returns its faults where it has some */
export function parseOrganisation(
  { config }: Pick<Context, 'config'>,
  given: Given,
  insisting: Insisting = {},
): { readonly entry: OrganisationEntry } | { readonly faults: readonly Fault[] } {
  const schema = organisationSchema({ ...config, ...insisting });
  const read = schema.safeParse(given, { error: faultWords });
  return read.success ? { entry: read.data } : { faults: settingFaults(read.error) };
}

/** Reads an organisation. @throws OperatorError with the faults, one a line */
export function readOrganisation(
  ...asked: Parameters<typeof parseOrganisation>
): OrganisationEntry {
  const read = parseOrganisation(...asked);
  if ('entry' in read) return read.entry;
  const faults = read.faults.map((fault) => `  - ${faultText(fault)}`);
  throw new OperatorError([texts.faults, ...faults].join('\n'));
}

/** Returns an organisation as its file has it. */
export const shownOrganisation = ({
  hasBearer: _hasBearer,
  changedAt: _changedAt,
  ...entry
}: Organisation): OrganisationEntry => entry;

const rowOf = (entry: OrganisationEntry, now: Date) => ({
  id: entry.id,
  subtenant_id: entry.subtenantId,
  label: entry.label,
  issuer: entry.issuer,
  client_id: entry.clientId,
  secret_ends_at: entry.secretEndsOn === null ? null : new Date(entry.secretEndsOn),
  subject_claim: entry.subject,
  hosted_domain: entry.hostedDomain,
  role_ids: entry.roles,
  second_factor: entry.secondFactor,
  amr_values: entry.amr,
  acr_values: entry.acr,
  max_auth_age_seconds: entry.maxAuthAge,
  opens_console: entry.console,
  is_only: entry.only,
  help_name: entry.helpName,
  help_number: entry.helpPhone,
  role_map: JSON.stringify(entry.roleMap),
  is_on: entry.on,
  changed_at: now,
});

const sealed = ({ secretBox }: Context, clientSecret: string) => ({
  client_secret: secretBox.encrypt('organisation', clientSecret),
});

/** @throws OperatorError for a subtenant that is not there, and an issuer or mail domain of another organisation */
async function requireFree(db: Db, entry: OrganisationEntry): Promise<void> {
  const { subtenantId } = entry;
  const isThere = (await listSubtenants(db)).some((each) => each.id === subtenantId);
  if (!isThere) throw new OperatorError(fill(texts.noSubtenant, { id: subtenantId }));
  for (const other of await listOrganisations(db)) {
    if (other.id === entry.id) continue;
    const { id } = other;
    const domain = other.domains.find((each) => entry.domains.includes(each));
    if (domain !== undefined) throw new OperatorError(fill(texts.domainTaken, { domain, id }));
    if (isOfSameProvider(entry, other)) throw new OperatorError(fill(texts.issuerTaken, { id }));
  }
}

const isOfSameProvider = (one: OrganisationEntry, other: OrganisationEntry) =>
  one.subtenantId === other.subtenantId &&
  one.issuer === other.issuer &&
  one.subject === other.subject;

async function setDomains(db: Db, { id, domains }: OrganisationEntry): Promise<void> {
  await db.deleteFrom('organisation_domains').where('organisation_id', '=', id).execute();
  const rows = [...new Set(domains)].map((domain) => ({ domain, organisation_id: id }));
  if (rows.length > 0) await db.insertInto('organisation_domains').values(rows).execute();
}

const note = ({ audit }: Context, kind: EventKind, organisation: { id: string }, db: Db) =>
  audit({ kind, details: { organisationId: organisation.id } }, db);

/**
 * Adds an organisation.
 * @returns `already` when it is there as given
 * @throws OperatorError when it is there and differs
 */
export async function addOrganisation(
  context: Context,
  given: Given,
  insisting?: Insisting,
): Promise<'added' | 'already'> {
  const { clientSecret, ...entry } = readOrganisation(context, given, insisting);
  return inTransaction(context.db, async (db) => {
    const there = await findOrganisation(db, entry.id);
    if (there) {
      if (isDeepStrictEqual(shownOrganisation(there), entry)) return 'already';
      throw new OperatorError(fill(texts.taken, { id: entry.id }));
    }
    if (clientSecret === undefined) throw new OperatorError(texts.needsSecret);
    await requireFree(db, entry);
    const now = context.clock.now();
    await db
      .insertInto('organisations')
      .values({ ...rowOf(entry, now), ...sealed(context, clientSecret), created_at: now })
      .execute();
    await setDomains(db, entry);
    await note(context, 'organisation.added', entry, db);
    return 'added';
  });
}

/** Replaces an organisation; without a secret it keeps its own. @throws OperatorError when there is none */
export async function replaceOrganisation(
  context: Context,
  given: Given,
  insisting?: Insisting,
): Promise<void> {
  const { clientSecret, ...entry } = readOrganisation(context, given, insisting);
  await inTransaction(context.db, async (db) => {
    const { id } = entry;
    const there = await findOrganisation(db, id);
    if (!there) throw new OperatorError(fill(texts.unknown, { id }));
    if (!isOfSameProvider(entry, there)) {
      throw new OperatorError(fill(texts.fixed, { id }));
    }
    await requireFree(db, entry);
    const secret = clientSecret ? sealed(context, clientSecret) : {};
    await db
      .updateTable('organisations')
      .set({ ...rowOf(entry, context.clock.now()), ...secret })
      .where('id', '=', id)
      .execute();
    await setDomains(db, entry);
    await signOutLinked({ ...context, db }, id);
    await note(context, 'organisation.changed', entry, db);
  });
}

/** Stores a new client secret, which the organisation made. @throws OperatorError when there is no organisation */
export async function setClientSecret(
  context: Context,
  id: string,
  secret: { readonly text: string; readonly endsAt: Date | null },
): Promise<void> {
  await update(context, 'organisation.secretChanged', id, {
    ...sealed(context, secret.text),
    secret_ends_at: secret.endsAt,
  });
}

/** Makes a new bearer for an organisation's directory; the earlier one ends. @throws OperatorError */
export async function makeBearer(context: Context, id: string): Promise<string> {
  const bearer = `plscim_${randomToken()}`;
  const made = { bearer_hash: hashToken(bearer), bearer_made_at: context.clock.now() };
  await update(context, 'organisation.bearerMade', id, made);
  return bearer;
}

/**
 * Signs out the linked people of an organisation whose rules change: they come in by the new ones. A session of the hosted
 * login would outlive them.
 */
async function signOutLinked(context: DeedContext, id: string): Promise<void> {
  for (const { user_id: userId } of await openLinks(context.db, id)) {
    await signOut(context, { id: userId }, null);
  }
}

async function update(
  context: Context,
  kind: EventKind,
  id: string,
  change: Updateable<Tables['organisations']>,
): Promise<void> {
  await inTransaction(context.db, async (db) => {
    const changed = await db
      .updateTable('organisations')
      .set({ ...change, changed_at: context.clock.now() })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!changed) throw new OperatorError(fill(texts.unknown, { id }));
    await note(context, kind, changed, db);
  });
}

/** Removes an organisation with its links. @returns whether there was one */
export async function removeOrganisation(context: Context, id: string): Promise<boolean> {
  return inTransaction(context.db, async (db) => {
    await signOutLinked({ ...context, db }, id);
    const removed = await db
      .deleteFrom('organisations')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (removed) await note(context, 'organisation.removed', removed, db);
    return removed !== undefined;
  });
}
