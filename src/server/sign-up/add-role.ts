import { isAcademy } from '#domain/people/subtenants.ts';
import { beginTrial } from '../accounts/account-changes.ts';
import { type Account, grantRoles, accountRecipient } from '../accounts/account-store.ts';
import type { ServerContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import type { Leads } from '../leads/leads.ts';
import type { Notifications } from '../notifications/notifications.ts';

type Ports = {
  readonly leads: Pick<Leads, 'capture'>;
  readonly notifications: Pick<Notifications, 'roleAdded'>;
};

export type AddRole = ReturnType<typeof createAddRole>;
type Role = { readonly roleId: number; readonly subtenantId: number };

/**
 * Creates the function that adds the role of a sign-up to an account whose owner has been proven: once, with one mail
 * and one lead (SRV-01).
 */
export function createAddRole({ clock }: ServerContext, ports: Ports) {
  return async (transaction: Db, account: Account, { roleId, subtenantId }: Role) => {
    await grantRoles(transaction, account.id, [roleId]);
    if (isAcademy(subtenantId)) await beginTrial(transaction, account.id, clock.now());
    const cause = `${account.id}:role-${roleId}`;
    // In the name of the subtenant where the role was added.
    const to = { ...accountRecipient(account), subtenantId };
    await ports.notifications.roleAdded(transaction, to, cause);
    if (isAcademy(subtenantId)) await ports.leads.capture(transaction, account, cause);
  };
}
