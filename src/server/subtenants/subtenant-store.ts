import type { Selectable } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';

export type SubtenantRow = Selectable<Tables['subtenants']>;

/** The fields of a subtenant that an operator sets. */
export type SubtenantChange = Partial<Omit<SubtenantRow, 'id'>>;

export async function listSubtenants(db: Db): Promise<readonly SubtenantRow[]> {
  return db.selectFrom('subtenants').selectAll().orderBy('id').execute();
}

/** Adds an open subtenant. @returns whether the id was free */
export async function insertSubtenant(
  db: Db,
  row: Omit<SubtenantRow, 'is_active' | 'language' | 'help_hours'> &
    Pick<SubtenantChange, 'language' | 'help_hours'>,
): Promise<boolean> {
  const made = await db
    .insertInto('subtenants')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return made !== undefined;
}
