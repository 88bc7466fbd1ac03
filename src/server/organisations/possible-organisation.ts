import { type AccountBeside, isByOrganisation, readAccount } from '../accounts/account-store.ts';
import type { DeedContext } from '../access/context.ts';
import { type Organisation, organisationsOfSubtenant } from './organisation-store.ts';

type Person = Pick<AccountBeside, 'id' | 'subtenant_id' | 'roleIds' | 'administers'>;

/** Returns the organisation by which an account could come in; `null` for none. */
export async function possibleFor(
  context: Pick<DeedContext, 'db' | 'config'>,
  userId: number,
): Promise<Organisation | null> {
  const { db } = context;
  const account = await readAccount(db, userId);
  if (!account) return null;
  // An account that is joined to another stays without an organisation (FED-06).
  const joined = await db
    .selectFrom('linked_accounts')
    .select('user_id')
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('primary_id', '=', userId)]))
    .executeTakeFirst();
  return joined ? null : possibleOf(context, account);
}

/** Does the same for a person whose account may not be there yet. */
export async function possibleOf(
  { db, config }: Pick<DeedContext, 'db' | 'config'>,
  person: Person,
): Promise<Organisation | null> {
  if (config.tenant) return null;
  const all = await organisationsOfSubtenant(db, person.subtenant_id);
  const comesIn = ({ id, label, ...row }: Organisation) => {
    const isAdmitted =
      person.roleIds.length > 0 && person.roleIds.every((role) => row.roles.includes(role));
    const organisation = { id, label, isAdmitted, isOnly: row.only, opensConsole: false };
    return isByOrganisation({ ...person, organisation }, config.console);
  };
  return all.find(comesIn) ?? null;
}
