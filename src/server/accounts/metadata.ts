import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** Members of a JSON object. */
type Metadata = Readonly<Record<string, unknown>>;

/** Returns the metadata of a column with a change; a null takes a member away, as at Auth0. */
function merged(column: 'user_metadata' | 'app_metadata', change: Metadata) {
  const gone = Object.keys(change).filter((key) => change[key] === null);
  return sql<string>`(${sql.ref(column)} || ${JSON.stringify(change)}::text::jsonb)
    - array(select jsonb_array_elements_text(${JSON.stringify(gone)}::text::jsonb))`;
}

/** Changes what is given of the names and the metadata of an account. @returns false when there is no such account */
export async function changeNamesAndMetadata(
  transaction: Db,
  id: number,
  names: { readonly givenName?: string | undefined; readonly familyName?: string | undefined },
  metadata: { readonly user?: Metadata | undefined; readonly app?: Metadata | undefined },
  now: Date,
): Promise<boolean> {
  const { givenName, familyName } = names;
  const { user, app } = metadata;
  const updated = await transaction
    .updateTable('users')
    .set({
      updated_at: now,
      ...(givenName !== undefined && { first_name: givenName }),
      ...(familyName !== undefined && { last_name: familyName }),
      ...(user && { user_metadata: merged('user_metadata', user) }),
      ...(app && { app_metadata: merged('app_metadata', app) }),
    })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}
