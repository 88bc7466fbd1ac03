import { sql } from 'kysely';
import { consoleRoleOf } from '#domain/console-rights.ts';
import { findAccount, findRoleIds } from '../accounts/account-store.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { AdminContext } from './admin-context.ts';

/**
 * Refuses to end the only account that is an operator of the console now (decisions of the console).
 * @throws AppError LAST_OPERATOR
 */
export async function refuseLastOperator(
  { config: { console: grants } }: Pick<AdminContext, 'config'>,
  db: Db,
  id: number,
): Promise<void> {
  const operators = grants.filter(({ role }) => role === 'operator');
  const account = operators.length > 0 ? await findAccount(db, id) : undefined;
  if (account?.status !== 'active') return;
  const roleIds = await findRoleIds(db, id);
  const person = { id, subtenantId: account.subtenant_id, roleIds };
  if (consoleRoleOf(person, operators) === null) return;
  const others = operators.map((grant) =>
    'accountId' in grant
      ? sql<boolean>`users.id = ${grant.accountId}`
      : sql<boolean>`users.subtenant_id = ${grant.subtenantId} and exists (
          select 1 from user_roles where user_id = users.id and role_id = ${grant.roleId})`,
  );
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('status', '=', 'active')
    .where('id', '<>', id)
    .where((eb) => eb.or(others))
    .limit(1)
    .executeTakeFirst();
  if (!other) throw new AppError('LAST_OPERATOR');
}
