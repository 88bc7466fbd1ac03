import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Account } from '../accounts/account-store.ts';
import { AppError } from '../http/app-error.ts';
import type { DeedContext } from './context.ts';
import { inTransaction } from '../db/in-transaction.ts';

/** Number of our advisory lock for acts that may end an operator. */
const LOCK = 7_421_002;

type Context = Pick<DeedContext, 'db' | 'config'>;

/** Matches the rows of `users` that settings make operators. */
export function isOperatorRow(grants: Context['config']['console']) {
  const own = grants.flatMap((grant) => {
    if (grant.role !== 'operator') return [];
    return 'accountId' in grant
      ? sql`users.id = ${grant.accountId}`
      : sql`users.subtenant_id = ${grant.subtenantId} and exists (
          select 1 from user_roles where user_id = users.id and role_id = ${grant.roleId})`;
  });
  // Nothing beside them: the search for a role's people begins at the roles only where it stands alone.
  return own.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(own, sql` or `)})`;
}

/** Selects the accounts of operators that can sign in; `null`: no setting names operators. */
function operatorsIn({ db, config }: Context) {
  if (!config.console.some(({ role }) => role === 'operator')) return null;
  return db
    .selectFrom('users')
    .where('status', '=', 'active')
    .where('closing_at', 'is', null)
    .where((eb) =>
      eb.or([eb('password_hash', 'is not', null), eb('hosted_user_id', 'is not', null)]),
    )
    .where(isOperatorRow(config.console));
}

/** Returns the accounts of all operators. */
export const operatorAccounts = async (context: Context): Promise<readonly Account[]> =>
  (await operatorsIn(context)?.selectAll().execute()) ?? [];

/**
 * Returns whether an account is an operator of the console and can sign in: active, not closing, with a password here
 * or at the tenant. `null`: no setting names operators.
 */
export async function hasOperator(context: Context): Promise<boolean | null> {
  const operators = operatorsIn(context);
  if (!operators) return null;
  return (await operators.select('id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Runs an act in a transaction, and takes it back when it ends the last operator. Such acts wait for each other, so
 * that two operators who close at once do not both go (decision 232).
 * @throws AppError LAST_OPERATOR
 */
export async function keepOperator<T>(context: Context, act: (db: Db) => Promise<T>): Promise<T> {
  const { config } = context;
  return inTransaction(context.db, async (db) => {
    // Before every other lock of the act: a fixed order knows no deadlock.
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(db);
    const hadOne = await hasOperator({ db, config });
    const result = await act(db);
    if (hadOne && !(await hasOperator({ db, config }))) throw new AppError('LAST_OPERATOR');
    return result;
  });
}
