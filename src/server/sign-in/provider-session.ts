import type { Selectable } from 'kysely';
import type { Tables } from '../db/schema.ts';
import type { ProviderIdentity } from '../identity-provider/port.ts';

type SignIn = Selectable<Tables['sign_ins']>;
export type HostedColumns = 'hosted_sub' | 'hosted_sid' | 'hosted_auth_time';

/** What ties a sign-in to one session of the tenant. */
export function sessionOf({ sub, sid, authTime }: ProviderIdentity): Pick<SignIn, HostedColumns> {
  return { hosted_sub: sub, hosted_sid: sid ?? null, hosted_auth_time: authTime ?? null };
}

/** The same person in the same session as when the password was given. */
export function isSessionOf(
  signIn: SignIn,
  userId: number | null,
  identity: ProviderIdentity,
): boolean {
  const { hosted_sub, hosted_sid, hosted_auth_time } = sessionOf(identity);
  return (
    signIn.stage !== 'password' &&
    signIn.user_id === userId &&
    signIn.hosted_sub === hosted_sub &&
    signIn.hosted_sid === hosted_sid &&
    signIn.hosted_auth_time === hosted_auth_time
  );
}
