import { isByOrganisation, isOnlyByOrganisation, readAccount } from '../accounts/account-store.ts';
import type { DeedContext } from '../access/context.ts';
import { signOut } from '../access/sessions.ts';

/**
 * Makes a change of an account's roles, right or house, and ends its sessions where its link to an organisation rests after
 * it (ORG-07), or has become the only way in (ORG-09): a session of the hosted login is not asked at each use.
 * @param change returns nothing, or `false`, when it leaves the link as it is
 */
export async function settleLinkAfter<Result>(
  context: DeedContext,
  id: number,
  change: () => Promise<Result>,
): Promise<Result> {
  const before = await linkState(context, id);
  const result = await change();
  if (!result) return result;
  const after = await linkState(context, id);
  const isOnlyNow = after === 'only' && before !== 'only';
  if (after === 'rests' || isOnlyNow) await signOut(context, { id }, null);
  return result;
}

/** Returns what an account's link to an organisation is to it; `null`: it has none. */
async function linkState({ db, config }: DeedContext, id: number) {
  const account = await readAccount(db, id);
  if (!account?.organisation) return null;
  if (!isByOrganisation(account, config.console)) return 'rests';
  return isOnlyByOrganisation(account, config.console) ? 'only' : 'opens';
}
