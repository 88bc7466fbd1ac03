import type { KnownBrowsers } from '../accounts/known-browsers.ts';
import type { ServerContext } from '../core/context.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { IdentityProviderAccounts, ProviderIdentity } from '../identity-provider/port.ts';
import { deleteTokens, insertToken, makeBearer } from './auth-tokens.ts';
import { takeAuthorization } from './authorizations.ts';
import type { CodeExchange } from './code-exchange.ts';
import type { ReadSignIns } from './read-sign-in.ts';
import { completeAttempt, insertAttempt, moveToOtp, newAttempt } from './move-attempts.ts';
import type { ProviderSession, SignInAttempt } from './sign-in-attempts.ts';
import { type SignedIn, toSignedIn } from './signed-in.ts';

/** The person of a completed sign-in, with the bearer. */
type Recorded = SignedIn & {
  readonly authToken: string;
  readonly isBrowserKnown: boolean;
  /** It was not completed before, for example in another tab. */
  readonly isFirst: boolean;
  readonly entrance: string;
};

type Deps = {
  readonly exchange: CodeExchange;
  readonly identities: Pick<IdentityProviderAccounts, 'accountOf' | 'isSessionFirst'>;
  readonly knownBrowsers: Pick<KnownBrowsers, 'seeAgain'>;
  readonly isInTime: ReadSignIns['isInTime'];
  readonly activeIn: ReadSignIns['activeIn'];
  /** Ends the other sign-ins of a visit. */
  readonly endOthers: (visit: Visit, signInId: string) => Promise<void>;
};

/** Returns the session of the provider that an ID token was issued in. */
const sessionOf = ({ sub, sid, authTime }: ProviderIdentity): ProviderSession => ({
  hosted_sub: sub,
  hosted_sid: sid ?? null,
  hosted_auth_time: authTime ?? null,
});

/** Returns whether person and session are those of the password step. */
function isSessionOf(attempt: SignInAttempt, userId: number | null, identity: ProviderIdentity) {
  const { hosted_sub, hosted_sid, hosted_auth_time } = sessionOf(identity);
  return (
    attempt.stage !== 'password' &&
    attempt.user_id === userId &&
    attempt.hosted_sub === hosted_sub &&
    attempt.hosted_sid === hosted_sid &&
    attempt.hosted_auth_time === hosted_auth_time
  );
}

/** Creates the completion of sign-ins. */
export function createRecordSignIn(
  { db, clock, audit }: ServerContext,
  { exchange, identities, knownBrowsers, isInTime, activeIn, endOthers }: Deps,
) {
  /** @throws AppError NO_SESSION: it has ended since it was read */
  async function complete(
    id: string,
    userId: number,
    { visit, ip, cookies }: Caller,
  ): Promise<Pick<Recorded, 'authToken' | 'isBrowserKnown' | 'isFirst'>> {
    const now = clock.now();
    const { token: authToken, ...bearer } = makeBearer(now);
    const event = { kind: 'signIn.complete', userId, visitId: visit.id, ip } as const;
    return db.transaction().execute(async (transaction) => {
      const isFirst = await completeAttempt('verified', transaction, id, now);
      if (!isFirst) {
        const isAgain = await completeAttempt('complete', transaction, id, now);
        if (!isAgain) throw new AppError('NO_SESSION');
        // Of two concurrent requests, the second one ends the first one's bearer.
        await deleteTokens(transaction, [id]);
      }
      await insertToken(transaction, id, bearer);
      await audit(event, transaction);
      const isBrowserKnown =
        isFirst && (await knownBrowsers.seeAgain(transaction, userId, cookies));
      return { authToken, isBrowserKnown, isFirst };
    });
  }

  /**
   * Handles a tenant session without a verified OTP. Sign-ins of this visit with another session end, and the person is
   * asked for an OTP (SRV-09).
   * @throws AppError OTP_REQUIRED or NO_SESSION, always
   */
  async function askForOtp(
    attempt: SignInAttempt,
    from: { readonly userId: number | null; readonly identity: ProviderIdentity },
    { visit, ip }: Caller,
  ): Promise<never> {
    const { userId, identity } = from;
    if (userId === null) {
      const details = { error: 'no_account' };
      await audit({ kind: 'signIn.refused', visitId: visit.id, ip, details });
      throw new AppError('NO_SESSION');
    }
    const now = clock.now();
    const given = { ...sessionOf(identity), user_id: userId };
    const signInId =
      (await moveToOtp(db, attempt.id, given, now)) ??
      (await insertAttempt(
        db,
        newAttempt({ visitId: visit.id, entrance: attempt.entrance, given }, now),
      ));
    await endOthers(visit, signInId);
    await audit({ kind: 'signIn.password', userId, visitId: visit.id, ip });
    throw new AppError('OTP_REQUIRED');
  }

  return {
    /**
     * Exchanges the authorization code in the backend and completes the sign-in.
     * @throws AppError OTP_REQUIRED, NO_SESSION, UNAVAILABLE
     */
    async record(
      { code, state }: { readonly code: string; readonly state: string },
      caller: Caller,
    ): Promise<Recorded> {
      const { visit, ip } = caller;
      const taken = await takeAuthorization(db, { visitId: visit.id, state }, clock.now());
      if (!taken) throw new AppError('NO_SESSION');
      const result = await exchange.exchange({ code, state, expected: taken.expected });
      if (result.kind === 'unavailable') throw new AppError('UNAVAILABLE');
      if (result.kind === 'refused') {
        const details = { error: result.error };
        await audit({ kind: 'signIn.refused', visitId: visit.id, ip, details });
        throw new AppError('NO_SESSION', { messages: [result.message] });
      }
      const { attempt } = taken;
      const { identity } = result;
      const userId = await identities.accountOf(identity);
      if (identities.isSessionFirst && !isSessionOf(attempt, userId, identity)) {
        await askForOtp(attempt, { userId, identity }, { visit, ip });
      }
      const isVerified = attempt.stage === 'verified' || attempt.stage === 'complete';
      if (!isVerified) throw new AppError('OTP_REQUIRED');
      const account = activeIn(taken);
      // It may have expired since the request was made.
      const isGood = account?.id === userId && isInTime(attempt, account);
      if (!account || !isGood) throw new AppError('NO_SESSION');
      const completed = await complete(attempt.id, account.id, caller);
      return { ...toSignedIn(attempt, account), ...completed, entrance: attempt.entrance };
    },
  };
}
