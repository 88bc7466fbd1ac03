import { roleOf } from '#domain/people/roles.ts';
import type { Db } from '../db/database.ts';
import {
  type ActiveAccount,
  findActiveAccount,
  ROLE_IDS,
  shownNameOf,
  toActive,
} from './account-store.ts';
import { wholeNumber } from './phone-text.ts';

/** Returns the claims of one account for the hosted login's tokens (OIDC Core 5.1); `null` when it may not sign in. */
export async function claimsOf(db: Db, userId: number): Promise<Claims | null> {
  return toClaims(await findActiveAccount(db, userId));
}

/** Reads the same beside another row (`Beside`); an account that may not sign in is not joined. */
export const CLAIMS_BESIDE = {
  columns: `users.*, ${ROLE_IDS} AS "roleIds"`,
  join: (accountId: string) =>
    `LEFT JOIN users ON users.id = ${accountId}::bigint AND users.status = 'active'`,
  claims: (row: object) => toClaims(toActive(row as ActiveAccount)),
};

function toClaims(account: ActiveAccount | null) {
  if (!account) return null;
  return {
    sub: String(account.id),
    email: account.email,
    email_verified: account.email_proven_at !== null,
    ...(account.mobile !== '' && {
      phone_number: wholeNumber(account),
      phone_number_verified: account.phone_proven_at !== null,
    }),
    name: shownNameOf(account),
    ...(account.first_name !== '' && { given_name: account.first_name }),
    ...(account.last_name !== '' && { family_name: account.last_name }),
    org_id: String(account.subtenant_id),
    roles: account.roleIds.map((roleId) => ({ roleId, roleKey: roleOf(roleId).key })),
    subtenant_id: account.subtenant_id,
    // Seconds since 1970, as `updated_at` is (OIDC Core 5.1).
    ...(account.trial_ends_at && {
      trial_ends_at: Math.floor(account.trial_ends_at.getTime() / 1000),
    }),
  };
}

export type Claims = NonNullable<ReturnType<typeof toClaims>>;
