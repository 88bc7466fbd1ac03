import { OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { FED_AMR } from '#domain/proofs/factors.ts';
import { KEY_AMR } from '#domain/proofs/passkeys.ts';
import type { Session } from '../core/context.ts';
import type { Caller, Http, VisitCookie } from '../http/visit-cookie.ts';
import type { IdentityProvider } from '../identity-provider/port.ts';
import type { Otp } from '../proofs/otp/otp-store.ts';
import type { SignIns } from './sign-ins.ts';

/** A sign-in whose last step was right. */
type VerifiedSignIn = Parameters<IdentityProvider['codeVerified']>[0] & {
  readonly signInId: string;
};

/**
 * Creates the start of hosted sessions, each under a new visit cookie: with the answer to the last step of a sign-in, and
 * with no earlier one (SRV-08).
 */
export function createBeginHosted(
  visits: Pick<VisitCookie, 'renew'>,
  { codeVerified }: Pick<IdentityProvider, 'codeVerified'>,
  { recordBrowser, refuseSuspended }: Pick<SignIns, 'recordBrowser' | 'refuseSuspended'>,
) {
  async function begin(
    { signInId, ...of }: VerifiedSignIn,
    { ip }: Caller,
    { request, reply }: Http,
  ): Promise<void> {
    await visits.renew(request, reply);
    const hostedUid = await codeVerified(of, request, reply);
    const userAgent = request.headers['user-agent'] ?? '';
    await recordBrowser(signInId, { userAgent, ip, hostedUid });
  }

  return {
    /** Runs after a right code; one of a plain form belongs to no sign-in. @throws AppError ACCOUNT_SUSPENDED */
    async afterCode(otp: Otp, caller: Caller, http: Http) {
      const { sign_in_id: signInId, user_id: userId, medium } = otp;
      if (!signInId) return;
      const attempt = await refuseSuspended(signInId, caller);
      // A code that joins a complete sign-in finds its session begun.
      if (!attempt || attempt.stage === 'complete') return;
      const { amr } = attempt;
      await begin({ signInId, userId, amr, isOfApp: medium === OTP_MEDIUM.app }, caller, http);
    },
    afterKey: (started: Session, caller: Caller, http: Http) =>
      begin({ ...started, amr: KEY_AMR, isOfApp: false }, caller, http),
    /** Runs after an organisation's answer to which no code of ours is missing. */
    afterOrganisation: (started: Session, caller: Caller, http: Http) =>
      begin({ ...started, amr: FED_AMR, isOfApp: false }, caller, http),
  };
}
