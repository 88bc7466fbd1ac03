/** Mails about a house: to operators, and to its administrators. */

import type { DeedContext } from '../access/context.ts';
import { operatorAccounts } from '../access/last-operator.ts';
import { accountRecipient } from '../accounts/account-store.ts';
import type { Db } from '../db/database.ts';
import type { StaffNote } from '../notifications/templates.ts';

/** Mails every operator a note. @param cause the same cause mails no second one */
export async function tellOperators(
  { config, notifications }: Pick<DeedContext, 'config' | 'notifications'>,
  db: Db,
  note: StaffNote,
  cause: string,
): Promise<void> {
  for (const operator of await operatorAccounts({ db, config })) {
    await notifications.staffNote(db, accountRecipient(operator), note, `${cause}:${operator.id}`);
  }
}

/** Mails the other administrators of a house a note. */
export async function tellAdministrators(
  { notifications }: Pick<DeedContext, 'notifications'>,
  db: Db,
  { id, subtenantId }: { readonly id: number; readonly subtenantId: number },
  note: StaffNote,
  cause: string,
): Promise<void> {
  const others = await db
    .selectFrom('users')
    .selectAll('users')
    .innerJoin('house_administrators as house', 'house.user_id', 'users.id')
    .where('house.subtenant_id', '=', subtenantId)
    .where('users.status', '=', 'active')
    .where('users.id', '<>', id)
    .execute();
  for (const other of others) {
    await notifications.staffNote(db, accountRecipient(other), note, `${cause}:${other.id}`);
  }
}
