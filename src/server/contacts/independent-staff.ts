import { type ConsoleGrant, consoleRoleOf } from '#domain/help-desk/console-rights.ts';
import { DAY_MS } from '#domain/text/duration.ts';
import { consolePersonOf, findActiveAccount } from '../accounts/account-store.ts';
import { later } from '../core/clock.ts';
import type { Db } from '../db/database.ts';

/** Milliseconds for which both rights have to be there: an intruder who gives a right cannot use it as a second person. */
const SETTLED_MS = 30 * DAY_MS;

type Right = { readonly givenBy: number | null; readonly givenAt: Date | null };

/** Returns who gave an account its console right, and when; 'always' for an operator, or by the settings; `null`: none. */
async function rightOf(
  db: Db,
  id: number,
  grants: readonly ConsoleGrant[],
): Promise<readonly Right[] | 'always' | null> {
  const account = await findActiveAccount(db, id);
  const role = account && consoleRoleOf(consolePersonOf(account), grants);
  if (!account || !role) return null;
  const isNamed = grants.some((grant) => 'accountId' in grant && grant.accountId === id);
  if (role === 'operator' || isNamed) return 'always';
  const rows: readonly Right[] =
    role === 'administrator'
      ? await db
          .selectFrom('house_administrators')
          .select(['given_by as givenBy', 'given_at as givenAt'])
          .where('user_id', '=', id)
          .execute()
      : await db
          .selectFrom('user_roles')
          .select(['given_by as givenBy', 'given_at as givenAt'])
          .where('user_id', '=', id)
          .where(
            'role_id',
            'in',
            grants.flatMap((grant) =>
              'roleId' in grant && grant.subtenantId === account.subtenant_id ? grant.roleId : [],
            ),
          )
          .execute();
  return rows;
}

/**
 * Returns whether two staff members count as two (HOU-05): neither gave the other the right, and both have it for 30
 * days. An operator always counts.
 */
export async function areIndependent(
  db: Db,
  [a, b]: readonly [number, number],
  { grants, now }: { readonly grants: readonly ConsoleGrant[]; readonly now: Date },
): Promise<boolean> {
  const [first, second] = [await rightOf(db, a, grants), await rightOf(db, b, grants)];
  if (first === null || second === null) return false;
  const isBy = (rows: typeof first, other: number) =>
    rows === 'always' ||
    rows.some(
      ({ givenBy, givenAt }) =>
        givenBy !== other && (givenAt === null || givenAt <= later(now, -SETTLED_MS)),
    );
  return isBy(first, b) && isBy(second, a);
}
