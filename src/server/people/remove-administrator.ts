import type { DeedContext } from '../access/context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { settleLinkAfter } from './settle-link.ts';

/**
 * Takes the right away; an act of the administrator that is under way ends before.
 * @param staysIn the house in which the right stays, if it is that one's
 * @returns whether there was one
 */
export async function removeAdministrator(
  context: DeedContext,
  id: number,
  staysIn = 0,
): Promise<boolean> {
  return inTransaction(context.db, async (db) => {
    const row = await settleLinkAfter({ ...context, db }, id, () =>
      db
        .deleteFrom('house_administrators')
        .where('user_id', '=', id)
        .where('subtenant_id', '<>', staysIn)
        .returning('subtenant_id')
        .executeTakeFirst(),
    );
    if (!row) return false;
    const details = { subtenantId: row.subtenant_id };
    await context.audit({ kind: 'house.administratorRemoved', userId: id, details }, db);
    return true;
  });
}
