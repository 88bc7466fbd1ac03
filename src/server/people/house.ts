/** What operators give a house: its administrators, and the roles that these may give (HOU-01, HOU-02). */

import {
  consoleRoleBy,
  consoleRoleOf,
  HELP_DESK_ROLES,
  isHouseRole,
} from '#domain/help-desk/console-rights.ts';
import type { RoleId } from '#domain/people/roles.ts';
import { fill } from '#locales/fill.ts';
import { houseCommand as texts } from '#locales/operator/house-command.ts';
import type { DeedContext } from '../access/context.ts';
import {
  consolePersonOf,
  lockAccount,
  readAccount,
  shownNameOf,
} from '../accounts/account-store.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { settleLinkAfter } from './settle-link.ts';

/**
 * Makes an account an administrator of its house. Sessions by an organisation end: an administrator has none.
 * @param givenBy the operator's account; `null`: the command line
 * @returns the house
 * @throws OperatorError for an account that is not active, closes, or is an operator's
 */
export async function addAdministrator(
  context: DeedContext,
  id: number,
  givenBy: number | null,
): Promise<{ readonly subtenantId: number; readonly outcome: 'added' | 'already' }> {
  return inTransaction(context.db, async (db) => {
    await lockAccount(db, id);
    const account = await readAccount(db, id);
    if (account?.status !== 'active' || account.shadow_of !== null || account.closing_at !== null) {
      throw new OperatorError(fill(texts.notActive, { id }));
    }
    const { subtenant_id: subtenantId } = account;
    if (consoleRoleOf(consolePersonOf(account), context.config.console) === 'operator') {
      throw new OperatorError(fill(texts.isOperator, { id }));
    }
    const row = { user_id: id, subtenant_id: subtenantId, given_by: givenBy };
    const added = await settleLinkAfter({ ...context, db }, id, () =>
      db
        .insertInto('house_administrators')
        .values({ ...row, given_at: context.clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .returning('user_id')
        .executeTakeFirst(),
    );
    if (!added) return { subtenantId, outcome: 'already' };
    const details = { subtenantId };
    await context.audit({ kind: 'house.administratorAdded', userId: id, details }, db);
    return { subtenantId, outcome: 'added' };
  });
}

/** Returns the administrators of a house, or of all. */
export async function listAdministrators(db: Db, subtenantId: number | null) {
  const rows = await db
    .selectFrom('house_administrators as house')
    .innerJoin('users', 'users.id', 'house.user_id')
    .select(['users.id', 'house.subtenant_id as subtenantId', 'house.given_at as since'])
    .select(['email', 'first_name', 'last_name', 'status'])
    .$if(subtenantId !== null, (query) => query.where('house.subtenant_id', '=', subtenantId ?? 0))
    .orderBy('house.subtenant_id')
    .orderBy('house.given_at')
    .execute();
  return rows.map((row) => {
    const { id, subtenantId: house, email, status, since } = row;
    return { id, subtenantId: house, email, name: shownNameOf(row), status, since };
  });
}

/** Returns the list of roles that the administrators of a house give. */
export async function houseRolesOf(db: Db, subtenantId: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('house_roles')
    .select('role_id')
    .where('subtenant_id', '=', subtenantId)
    .orderBy('role_id')
    .execute();
  return rows.map(({ role_id: id }) => id);
}

/** @throws OperatorError when settings have made a role of a house's list an operator's: its administrators would give it */
export async function refuseListedOperators(
  db: Db,
  { console: grants }: Pick<DeedContext['config'], 'console'>,
): Promise<void> {
  const rows = await db.selectFrom('house_roles').selectAll().execute();
  const raised = rows.filter(
    ({ role_id: role, subtenant_id: id }) => consoleRoleBy(role, id, grants) === 'operator',
  );
  if (raised.length === 0) return;
  const roles = raised.map(({ subtenant_id: id, role_id: role }) => `${id}:${role}`).join(', ');
  throw new OperatorError(fill(texts.listedOperators, { roles }));
}

/** Puts a list in the place of a house's. @throws OperatorError for a role that is never given, or no such house */
export async function setHouseRoles(
  { db, config, audit }: Pick<DeedContext, 'db' | 'config' | 'audit'>,
  subtenantId: number,
  roleIds: readonly RoleId[],
): Promise<void> {
  const refused = roleIds.filter((role) => !isHouseRole(role, subtenantId, config.console));
  if (refused.length > 0) {
    throw new OperatorError(fill(texts.refusedRoles, { roles: refused.join(', ') }));
  }
  await inTransaction(db, async (transaction) => {
    // An administrator's act holds this row: it ends before the list changes.
    const house = await transaction
      .selectFrom('subtenants')
      .select('id')
      .where('id', '=', subtenantId)
      .forUpdate()
      .executeTakeFirst();
    if (!house) throw new OperatorError(fill(texts.unknown, { id: subtenantId }));
    await transaction.deleteFrom('house_roles').where('subtenant_id', '=', subtenantId).execute();
    const rows = [...new Set(roleIds)].map((role_id) => ({ subtenant_id: subtenantId, role_id }));
    if (rows.length > 0) await transaction.insertInto('house_roles').values(rows).execute();
    // Invitations for roles that have left the list end; those of operators and help desks stay.
    await transaction
      .deleteFrom('invitations')
      .where('subtenant_id', '=', subtenantId)
      .where('role_id', 'not in', [...HELP_DESK_ROLES, ...roleIds])
      .where('answer', 'is', null)
      .where('sent_by', 'in', (eb) =>
        eb
          .selectFrom('house_administrators')
          .select('user_id')
          .where('subtenant_id', '=', subtenantId),
      )
      .execute();
    const details = { subtenantId, roles: rows.map(({ role_id: role }) => role) };
    await audit({ kind: 'house.rolesListed', details }, transaction);
  });
}
