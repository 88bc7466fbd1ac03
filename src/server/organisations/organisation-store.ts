/** The rows of organisations. Links to people are in `accounts/organisation-links.ts`. */

import { type Selectable, sql } from 'kysely';
import { hashToken } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';

type Row = Selectable<Tables['organisations']>;

/** An organisation without its secrets. */
export type Organisation = Omit<Row, 'client_secret' | 'bearer_hash'> & {
  /** Its mail domains, as A-labels. */
  readonly domains: readonly string[];
  /** Its directory has a bearer. */
  readonly hasBearer: boolean;
};

const organisations = (db: Db) =>
  db
    .selectFrom('organisations')
    .select([
      'id',
      'subtenant_id',
      'label',
      'issuer',
      'client_id',
      'secret_ends_at',
      'subject_claim',
      'hosted_domain',
      'role_ids',
      'second_factor',
      'amr_values',
      'acr_values',
      'max_auth_age_seconds',
      'opens_console',
      'is_only',
      'help_name',
      'help_number',
      'bearer_made_at',
      'role_map',
      'is_on',
      'created_at',
      'changed_at',
      sql<boolean>`bearer_hash is not null`.as('hasBearer'),
      sql<string[]>`array(select domain from organisation_domains
        where organisation_id = organisations.id order by domain)`.as('domains'),
    ])
    .orderBy('id');

/** Returns all organisations, those that are off included. */
export const listOrganisations = (db: Db): Promise<readonly Organisation[]> =>
  organisations(db).execute();

/** Returns the organisations of a subtenant that are on. */
export const organisationsOfSubtenant = (
  db: Db,
  subtenantId: number,
): Promise<readonly Organisation[]> =>
  organisations(db).where('subtenant_id', '=', subtenantId).where('is_on', '=', true).execute();

/** Returns an organisation, on or off. */
export const findOrganisation = (db: Db, id: string): Promise<Organisation | undefined> =>
  organisations(db).where('id', '=', id).executeTakeFirst();

/** Returns the organisation of a directory's bearer, while it is on. */
export const organisationByBearer = (db: Db, bearer: string): Promise<Organisation | undefined> =>
  organisations(db)
    .where('bearer_hash', '=', hashToken(bearer))
    .where('is_on', '=', true)
    .executeTakeFirst();

/** Returns the encrypted client secret of an organisation. */
export async function sealedSecretOf(db: Db, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('organisations')
    .select('client_secret')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.client_secret ?? null;
}
