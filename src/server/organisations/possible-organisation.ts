import { isByOrganisation, readAccount } from '../accounts/account-store.ts';
import type { DeedContext } from '../access/context.ts';
import { type Organisation, organisationsOfSubtenant } from './organisation-store.ts';

/** Returns the organisation by which an account could come in; `null` for none. */
export async function possibleFor(
  { db, config }: Pick<DeedContext, 'db' | 'config'>,
  userId: number,
): Promise<Organisation | null> {
  const account = config.tenant ? undefined : await readAccount(db, userId);
  if (!account) return null;
  // An account that is joined to another stays without an organisation (FED-06).
  const joined = await db
    .selectFrom('linked_accounts')
    .select('user_id')
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('primary_id', '=', userId)]))
    .executeTakeFirst();
  if (joined) return null;
  const all = await organisationsOfSubtenant(db, account.subtenant_id);
  const comesIn = ({ id, label, ...row }: Organisation) => {
    const isAdmitted =
      account.roleIds.length > 0 && account.roleIds.every((role) => row.role_ids.includes(role));
    const organisation = { id, label, isAdmitted, isOnly: row.is_only, opensConsole: false };
    return isByOrganisation({ ...account, organisation }, config.console);
  };
  return all.find(comesIn) ?? null;
}
