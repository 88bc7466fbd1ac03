import type { ManagedUser } from '#openid-provider/user-directory.ts';
import type { Db } from '../../db/database.ts';
import { wholeNumber } from '../../accounts/phone-text.ts';

/** Selects people only, without stand-ins (enumeration `strict`). */
export const selectUsers = (db: Db) =>
  db
    .selectFrom('users')
    .where('users.shadow_of', 'is', null)
    .select([
      'users.id',
      'email',
      'first_name',
      'last_name',
      'dial_code',
      'mobile',
      'email_proven_at',
      'phone_proven_at',
      'status',
      'user_metadata',
      'app_metadata',
      'created_at',
      'updated_at',
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof selectUsers>['execute']>>[number];
type Linked = { readonly primary_id: number; readonly id: number; readonly email: string };

/** Returns a row as the management calls know it. */
export function toManaged(row: Row, linked: readonly Linked[]): ManagedUser {
  return {
    userId: String(row.id),
    email: row.email,
    emailVerified: row.email_proven_at !== null,
    givenName: row.first_name,
    familyName: row.last_name,
    phone: wholeNumber(row) || null,
    phoneVerified: row.phone_proven_at !== null,
    isBlocked: row.status === 'inactive',
    userMetadata: row.user_metadata,
    appMetadata: row.app_metadata,
    createdAt: row.created_at,
    updatedAt: row.updated_at ?? row.created_at,
    linked: linked
      .filter((other) => other.primary_id === row.id)
      .map(({ id, email }) => ({ userId: String(id), email })),
  };
}

/** Ids of ours are decimal numbers below 2^53; whatever else is asked for does not exist. */
export function managedUserId(userId: string): number | null {
  return /^\d{1,15}$/.test(userId) ? Number(userId) : null;
}
