import type { NewUser } from '#openid-provider/user-directory.ts';
import { MEMBER_ROLE } from '#domain/people/roles.ts';
import { DEFAULT_SUBTENANT_ID } from '#domain/people/subtenants.ts';
import { grantRoles, insertAccounts, personalDataOf } from '../../accounts/account-store.ts';
import { insertRegistration } from '../../accounts/registration-store.ts';
import type { Db } from '../../db/database.ts';

/** Returns the columns of an account that a program gives. */
export const managedUserColumns = (user: NewUser) => ({
  email: user.email,
  first_name: user.givenName,
  last_name: user.familyName,
  // One number with its dial code; the caller does not say where the code ends.
  dial_code: '',
  mobile: user.phone ?? '',
  subtenant_id: DEFAULT_SUBTENANT_ID,
});

/** Adds a member. One whose address is not proven yet gets an open form and finds the way by 'Verify here.' @returns its id; `null` for an address that is taken */
export async function insertManagedUser(
  transaction: Db,
  user: NewUser,
  passwordHash: string,
  created_at: Date,
): Promise<number | null> {
  const [account] = await insertAccounts(transaction, [
    {
      ...managedUserColumns(user),
      password_hash: passwordHash,
      created_at,
      ...(user.isEmailVerified && {
        status: 'active',
        activated_at: created_at,
        email_proven_at: created_at,
      }),
      user_metadata: JSON.stringify(user.userMetadata),
      app_metadata: JSON.stringify(user.appMetadata),
    },
  ]);
  if (!account) return null;
  const { id, subtenant_id } = account;
  if (user.isEmailVerified) {
    await grantRoles(transaction, id, [MEMBER_ROLE]);
    return id;
  }
  await insertRegistration(transaction, {
    ...personalDataOf(account),
    user_id: id,
    password_hash: passwordHash,
    role_id: MEMBER_ROLE,
    subtenant_id,
    created_at,
  });
  return id;
}
