import { FED_AMR } from '#domain/proofs/factors.ts';
import { KEY_AMR } from '#domain/proofs/passkeys.ts';
import { browserName } from '#domain/text/browser-name.ts';
import type { Entrance } from '#domain/people/role-routing.ts';
import { storedBrowser } from '../accounts/device-text.ts';
import type { KnownBrowsers } from '../accounts/known-browsers.ts';
import { shortAddress } from '../audit/short-address.ts';
import type { ServerContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit, VisitCookie } from '../http/visit-cookie.ts';
import type { IdentityProviderAccounts } from '../identity-provider/port.ts';
import { insertAuthorization } from './authorizations.ts';
import type { CodeExchange } from './code-exchange.ts';
import { createReadSignIns } from './read-sign-in.ts';
import { createRecordSignIn } from './record-sign-in.ts';
import {
  endAttempts,
  insertAttempt,
  insertKnownPerson,
  moveToOtpByState,
  moveToVerified,
  newAttempt,
  type NoteEnded,
  setBrowser,
} from './move-attempts.ts';
import { findAttempt } from './sign-in-attempts.ts';

export type SignIns = ReturnType<typeof createSignIns>;

type Ports = {
  readonly visits: Pick<VisitCookie, 'find'>;
  readonly exchange: CodeExchange;
  readonly identities: Pick<IdentityProviderAccounts, 'accountOf' | 'isSessionFirst'>;
  /** Receives the sign-ins that end, in the transaction that ends them. */
  readonly recordEnded: NoteEnded;
  readonly knownBrowsers: Pick<KnownBrowsers, 'seeAgain'>;
};

/** Creates the portal's sign-in: attempts, their authorization requests and their bearers. */
export function createSignIns(context: ServerContext, ports: Ports) {
  const { db, clock, audit, outbox } = context;
  const { visits, exchange, recordEnded } = ports;
  const reads = createReadSignIns(context, visits);

  /** Ends this browser's earlier sign-ins at a new password step: one person at a time (R8). */
  async function endOthers(visit: Visit, signInId: string): Promise<void> {
    await end((eb) => eb.and([eb('visit_id', '=', visit.id), eb('id', '!=', signInId)]));
  }

  async function end(which: Parameters<typeof endAttempts>[1]) {
    const ended = await endAttempts(db, which, { now: clock.now(), recordEnded });
    outbox.wake();
    return ended;
  }

  const { isInTime, activeIn } = reads;
  return {
    ...reads,
    ...createRecordSignIn(context, { ...ports, isInTime, activeIn, endOthers }),

    /** Starts or continues a sign-in with an authorization request of its own. */
    async begin(
      visit: Visit,
      { entrance, isFresh }: { readonly entrance: Entrance; readonly isFresh: boolean },
    ) {
      const known = isFresh ? null : await reads.currentWithAccount(visit);
      const { authorizeUrl, ...expected } = await exchange.begin();
      const now = clock.now();
      if (known) {
        await insertAuthorization(db, known.attempt.id, expected, now);
        return { appState: known.attempt.app_state, authorizeUrl };
      }
      const attempt = newAttempt({ visitId: visit.id, entrance }, now);
      const withAttempt = db.with('attempt', (query) =>
        query.insertInto('sign_ins').values(attempt),
      );
      await insertAuthorization(withAttempt, attempt.id, expected, now);
      return { appState: attempt.app_state, authorizeUrl };
    },

    /**
     * Accepts the right password at the hosted login: 'password' becomes 'otp' (SES-02).
     * @returns whether an attempt of this visit waited for it
     */
    async acceptPassword(visit: Visit, state: string | undefined, userId: number) {
      const found = { visitId: visit.id, state: state ?? '', userId };
      const event = { kind: 'signIn.password', userId, visitId: visit.id } as const;
      const moved = await db.transaction().execute(async (transaction) => {
        const attempt = await moveToOtpByState(transaction, found, clock.now());
        if (attempt) await audit(event, transaction);
        return attempt;
      });
      if (moved?.hasOthers) await endOthers(visit, moved.id);
      return moved !== undefined;
    },

    /** Starts an attempt at 'otp', after the password on an application's own page (H3). */
    async beginAtOtp(visit: Visit, userId: number) {
      const given = { user_id: userId, hosted_sub: null, hosted_sid: null, hosted_auth_time: null };
      const attempt = { visitId: visit.id, entrance: 'portal', given } as const;
      await endOthers(visit, await insertAttempt(db, newAttempt(attempt, clock.now())));
      await audit({ kind: 'signIn.password', userId, visitId: visit.id });
    },

    /** Starts an attempt at 'verified' by a right key, in the transaction that stores the key's use. */
    beginWithKey: (
      transaction: Db,
      visit: Visit,
      of: { readonly userId: number; readonly entrance: Entrance },
    ) =>
      insertKnownPerson(
        transaction,
        { visitId: visit.id, ...of, amr: KEY_AMR, isVerified: true },
        clock.now(),
      ),

    /**
     * Starts an attempt by an organisation's answer, in the transaction that consumes it: at 'otp', or at 'verified' where
     * the organisation's second step stands for our code. @returns its id
     */
    beginByOrganisation: (
      transaction: Db,
      visit: Visit,
      of: { readonly userId: number; readonly entrance: Entrance; readonly isVerified: boolean },
    ) => insertKnownPerson(transaction, { visitId: visit.id, ...of, amr: FED_AMR }, clock.now()),

    endOthers,

    /** Accepts a right OTP: 'otp' becomes 'verified'. @returns the factors of the sign-in */
    acceptOtp: (transaction: Db, signInId: string) =>
      moveToVerified(transaction, signInId, clock.now()),

    /** Stores the family of the browser that entered the OTP, for the account's list of sessions (decision 126). */
    async recordBrowser(
      signInId: string,
      seen: { readonly userAgent: string; readonly ip: string; readonly hostedUid: string | null },
    ) {
      const name = browserName(seen.userAgent);
      await setBrowser(db, signInId, {
        browser: name && storedBrowser(name),
        network: shortAddress(seen.ip),
        hosted_uid: seen.hostedUid,
      });
    },

    /**
     * Ends the attempt of a suspended account, whose OTP was right.
     * @returns the attempt
     * @throws AppError ACCOUNT_SUSPENDED
     */
    async refuseSuspended(signInId: string, { visit, ip }: Caller) {
      const { attempt, account } = (await findAttempt(db, signInId)) ?? {};
      if (account?.status !== 'inactive') return attempt;
      await end((eb) => eb('id', '=', signInId));
      await audit({ kind: 'signIn.suspended', userId: account.id, visitId: visit.id, ip });
      throw new AppError('ACCOUNT_SUSPENDED');
    },

    /** Ends all sign-ins of this browser, after a sign-out at the hosted login itself. */
    async endVisit(visit: Visit) {
      const [ended] = await end((eb) => eb('visit_id', '=', visit.id));
      if (ended) await audit({ kind: 'signOut', userId: ended.user_id, visitId: visit.id });
    },

    /** Ends the session of the bearer; succeeds without one, too (SRV-20). */
    async end(bearer: string | undefined, visit: Visit) {
      const attempt = (await reads.findByBearer(bearer, visit))?.attempt;
      if (!attempt) return false;
      await end((eb) => eb('id', '=', attempt.id));
      await audit({ kind: 'signOut', userId: attempt.user_id, visitId: visit.id });
      return true;
    },
  };
}
