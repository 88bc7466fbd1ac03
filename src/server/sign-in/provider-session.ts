import type { ProviderIdentity } from '../identity-provider/port.ts';
import type { ProviderSession, SignInAttempt } from './sign-in-attempts.ts';

/** Returns the session of the provider that an ID token was issued in. */
export function sessionOf({ sub, sid, authTime }: ProviderIdentity): ProviderSession {
  return { hosted_sub: sub, hosted_sid: sid ?? null, hosted_auth_time: authTime ?? null };
}

/** Returns whether person and session are those of the password step. */
export function isSessionOf(
  attempt: SignInAttempt,
  userId: number | null,
  identity: ProviderIdentity,
): boolean {
  const { hosted_sub, hosted_sid, hosted_auth_time } = sessionOf(identity);
  return (
    attempt.stage !== 'password' &&
    attempt.user_id === userId &&
    attempt.hosted_sub === hosted_sub &&
    attempt.hosted_sid === hosted_sid &&
    attempt.hosted_auth_time === hosted_auth_time
  );
}
