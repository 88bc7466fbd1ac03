import type { Db } from '../db/database.ts';

/** Claims of one account for the hosted login's tokens (OIDC Core 5.1); `null` when it may not sign in. */
export async function claimsOf(db: Db, userId: number) {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (!user) return null;
  return {
    sub: String(user.id),
    email: user.email,
    email_verified: true,
    name: `${user.first_name} ${user.last_name}`,
    given_name: user.first_name,
    family_name: user.last_name,
    org_id: String(user.subtenant_id),
    // Seconds since 1970, as `updated_at` is (OIDC Core 5.1).
    ...(user.trial_ends_at && {
      trial_ends_at: Math.floor(user.trial_ends_at.getTime() / 1000),
    }),
  };
}

export type Claims = NonNullable<Awaited<ReturnType<typeof claimsOf>>>;

/** The subtenant an account belongs to. */
export async function subtenantOf(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select('subtenant_id')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.subtenant_id;
}
