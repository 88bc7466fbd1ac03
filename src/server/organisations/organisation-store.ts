/** The rows of organisations. Links to people are in `accounts/organisation-links.ts`. */

import { sql } from 'kysely';
import { hashToken } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { OrganisationEntry } from './organisation-entry.ts';

/** An organisation as its file has it, without its secrets. */
export type Organisation = Omit<OrganisationEntry, 'clientSecret'> & {
  /** Its directory has a bearer. */
  readonly hasBearer: boolean;
  readonly changedAt: Date;
};

const secretEndsOn = sql<string | null>`to_char(secret_ends_at at time zone 'UTC', 'YYYY-MM-DD')`;

const organisations = (db: Db) =>
  db
    .selectFrom('organisations')
    .select([
      'id',
      'subtenant_id as subtenantId',
      'label',
      'issuer',
      'client_id as clientId',
      secretEndsOn.as('secretEndsOn'),
      'subject_claim as subject',
      'hosted_domain as hostedDomain',
      sql<string[]>`array(select domain from organisation_domains
        where organisation_id = organisations.id order by domain)`.as('domains'),
      'role_ids as roles',
      'second_factor as secondFactor',
      'amr_values as amr',
      'acr_values as acr',
      'max_auth_age_seconds as maxAuthAge',
      'opens_console as console',
      'is_only as only',
      'help_name as helpName',
      'help_number as helpPhone',
      'role_map as roleMap',
      'is_on as on',
      'changed_at as changedAt',
      sql<boolean>`bearer_hash is not null`.as('hasBearer'),
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
