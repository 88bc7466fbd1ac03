/** What an operator does with organisations: each act one transaction with its audit event (ORG-01). */

import { isDeepStrictEqual } from 'node:util';
import { fill } from '#locales/fill.ts';
import type { EventKind } from '#locales/operator/events.ts';
import { organisationCommand as texts } from '#locales/operator/organisation-command.ts';
import { faultWords } from '../config/fault-words.ts';
import { OperatorError } from '../config/operator-error.ts';
import { faultText, settingFaults } from '../config/setting.ts';
import type { DeedContext } from '../access/context.ts';
import { signOut } from '../access/sessions.ts';
import { hashToken, randomToken } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import {
  type Insisting,
  type OrganisationEntry,
  organisationSchema,
} from './organisation-entry.ts';
import {
  findOrganisation,
  listOrganisations,
  type Organisation,
  sealedSecretOf,
} from './organisation-store.ts';

type Context = DeedContext;
type Given = Readonly<Record<string, unknown>>;

/** Reads an organisation. @throws OperatorError with the faults, one a line */
export function readOrganisation(
  { config }: Pick<Context, 'config'>,
  given: Given,
  insisting: Insisting = {},
): OrganisationEntry {
  const read = organisationSchema({ ...config, ...insisting }).safeParse(given, {
    error: faultWords,
  });
  if (read.success) return read.data;
  const faults = settingFaults(read.error).map((fault) => `  - ${faultText(fault)}`);
  throw new OperatorError([texts.faults, ...faults].join('\n'));
}

/** Returns an organisation as its file would have it, without its secret. */
export const shownOrganisation = (row: Organisation): OrganisationEntry => ({
  id: row.id,
  subtenantId: row.subtenant_id,
  label: row.label,
  issuer: row.issuer,
  clientId: row.client_id,
  secretEndsOn: row.secret_ends_at?.toISOString().slice(0, 10) ?? null,
  subject: row.subject_claim,
  hostedDomain: row.hosted_domain,
  domains: [...row.domains],
  roles: row.role_ids,
  secondFactor: row.second_factor,
  amr: row.amr_values,
  acr: row.acr_values,
  maxAuthAge: row.max_auth_age_seconds,
  console: row.opens_console,
  only: row.is_only,
  helpName: row.help_name,
  helpPhone: row.help_number,
  roleMap: row.role_map,
  on: row.is_on,
});

const rowOf = (entry: OrganisationEntry, clientSecret: string, now: Date) => ({
  id: entry.id,
  subtenant_id: entry.subtenantId,
  label: entry.label,
  issuer: entry.issuer,
  client_id: entry.clientId,
  client_secret: clientSecret,
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

/** @throws OperatorError for a subtenant that is not there, and an issuer or mail domain of another organisation */
async function requireFree(db: Db, entry: OrganisationEntry): Promise<void> {
  const subtenant = await db
    .selectFrom('subtenants')
    .select('id')
    .where('id', '=', entry.subtenantId)
    .executeTakeFirst();
  if (!subtenant) throw new OperatorError(fill(texts.noSubtenant, { id: entry.subtenantId }));
  for (const other of await listOrganisations(db)) {
    if (other.id === entry.id) continue;
    const { id } = other;
    const domain = other.domains.find((each) => entry.domains.includes(each));
    if (domain !== undefined) throw new OperatorError(fill(texts.domainTaken, { domain, id }));
    if (isOfSameProvider(entry, shownOrganisation(other))) {
      throw new OperatorError(fill(texts.issuerTaken, { id }));
    }
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
    const sealed = context.secretBox.encrypt('organisation', clientSecret);
    await db
      .insertInto('organisations')
      .values({ ...rowOf(entry, sealed, now), created_at: now })
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
    const kept = await sealedSecretOf(db, id);
    if (!there || kept === null) throw new OperatorError(fill(texts.unknown, { id }));
    if (!isOfSameProvider(entry, shownOrganisation(there))) {
      throw new OperatorError(fill(texts.fixed, { id }));
    }
    await requireFree(db, entry);
    const sealed = clientSecret ? context.secretBox.encrypt('organisation', clientSecret) : kept;
    await db
      .updateTable('organisations')
      .set(rowOf(entry, sealed, context.clock.now()))
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
    client_secret: context.secretBox.encrypt('organisation', secret.text),
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
  const links = await context.db
    .selectFrom('organisation_links')
    .select('user_id')
    .where('organisation_id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
  for (const { user_id: userId } of links) await signOut(context, { id: userId }, null);
}

async function update(
  context: Context,
  kind: EventKind,
  id: string,
  change: Partial<
    Pick<ReturnType<typeof rowOf>, 'client_secret' | 'secret_ends_at'> & {
      readonly bearer_hash: string;
      readonly bearer_made_at: Date;
    }
  >,
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
