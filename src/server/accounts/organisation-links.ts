/** Which account is which person of an organisation (decision 272). */

import type { Selectable } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';

export type OrganisationLink = Selectable<Tables['organisation_links']>;

/** Returns the link of an account that has not ended, off or not. */
export const linkOf = (db: Db, userId: number): Promise<OrganisationLink | undefined> =>
  db
    .selectFrom('organisation_links')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();

/** Sets or takes away the mark that the directory switched the person off. @returns whether there was a link */
export async function setLinkOff(db: Db, userId: number, offAt: Date | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('organisation_links')
    .set({ off_at: offAt })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
