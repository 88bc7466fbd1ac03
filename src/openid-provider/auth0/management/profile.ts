/** Accounts in the shape of Auth0's Management API, and the changes it accepts. */

import { z } from 'zod';
import { EMAIL_RULE } from '#domain/typed/validation.ts';
import { isPlainlyWritten } from '#domain/typed/written-name.ts';
import type { ManagedUser } from '../../user-directory.ts';

/** The name of the database connection, which is also the portal's realm. */
export const CONNECTION = 'Username-Password-Authentication';
const PROVIDER = 'auth0';
const METADATA_LIMIT_BYTES = 16 * 1024;

const identity = (userId: string, extra: object = {}): object => ({
  provider: PROVIDER,
  user_id: userId,
  connection: CONNECTION,
  isSocial: false,
  ...extra,
});

/** Returns the linked identities of a user, the main one first. */
export function toIdentities(user: ManagedUser): object[] {
  return [
    identity(user.userId),
    ...user.linked.map(({ userId, email }) => identity(userId, { profileData: { email } })),
  ];
}

/** Returns the user in Auth0's profile format. */
export function toProfile(user: ManagedUser): Record<string, unknown> {
  return {
    user_id: user.userId,
    email: user.email,
    email_verified: user.emailVerified,
    name: `${user.givenName} ${user.familyName}`.trim(),
    given_name: user.givenName,
    family_name: user.familyName,
    ...(user.phone && { phone_number: user.phone, phone_verified: user.phoneVerified }),
    ...(user.isBlocked && { blocked: true }),
    user_metadata: user.userMetadata,
    app_metadata: user.appMetadata,
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    identities: toIdentities(user),
  };
}

/** Returns the profile without `app_metadata`, which a person's own token may not read. */
export function toOwnProfile(user: ManagedUser): Record<string, unknown> {
  const { app_metadata: _, ...profile } = toProfile(user);
  return profile;
}

const metadata = z
  .record(z.string().min(1).max(100), z.unknown())
  .refine((value) => JSON.stringify(value).length <= METADATA_LIMIT_BYTES, 'is too large');
const HIDDEN = 'has a character that nobody sees';
const name = z.string().trim().min(1).max(80).refine(isPlainlyWritten, HIDDEN);
const phone = z.string().regex(/^\+\d{8,15}$/);
const password = z.string().min(1).max(1024);

/** Fields that a person's own token may change: never the address, the password or a name (IDP-10). */
export const ownChangeSchema = z.strictObject({ user_metadata: metadata });

export const changeSchema = z.strictObject({
  given_name: name.optional(),
  family_name: name.optional(),
  blocked: z.boolean().optional(),
  email_verified: z.literal(true).optional(),
  user_metadata: metadata.optional(),
  app_metadata: metadata.optional(),
  password: password.optional(),
  connection: z.literal(CONNECTION).optional(),
  client_id: z.string().max(200).optional(),
});

export const newUserSchema = z.strictObject({
  connection: z.literal(CONNECTION),
  email: z.string().max(254).transform(EMAIL_RULE.normalize),
  password,
  email_verified: z.boolean().default(false),
  verify_email: z.literal(false).optional(),
  name: z.string().trim().max(161).refine(isPlainlyWritten, HIDDEN).optional(),
  given_name: name.optional(),
  family_name: name.optional(),
  phone_number: phone.optional(),
  user_metadata: metadata.default({}),
  app_metadata: metadata.default({}),
});

/** First and family name of a new user. Auth0 requires neither; `name` often holds both. */
export function newUserNames(body: z.infer<typeof newUserSchema>): {
  readonly givenName: string;
  readonly familyName: string;
} {
  const [first = '', ...rest] = (body.name ?? '').split(/\s+/);
  return {
    givenName: body.given_name ?? first,
    familyName: body.family_name ?? rest.join(' '),
  };
}
