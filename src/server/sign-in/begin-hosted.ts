import { OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { KEY_AMR } from '#domain/proofs/passkeys.ts';
import type { Caller, Http, VisitCookie } from '../http/visit-cookie.ts';
import type { IdentityProvider } from '../identity-provider/port.ts';
import type { Otp } from '../proofs/otp/otp-store.ts';
import type { SignIns } from './sign-ins.ts';

/** A sign-in whose last step was right. */
type VerifiedSignIn = Parameters<IdentityProvider['codeVerified']>[0] & {
  readonly signInId: string;
};

/** Begins the hosted session of a sign-in with the answer to its last step, and with no earlier one (SRV-08). */
export type BeginHosted = {
  /** Runs after a right code; one of a plain form belongs to no sign-in. @throws AppError ACCOUNT_SUSPENDED */
  afterCode(otp: Otp, caller: Caller, http: Http): Promise<void>;
  afterKey(
    started: Pick<VerifiedSignIn, 'userId' | 'signInId'>,
    caller: Caller,
    http: Http,
  ): Promise<void>;
};

/** Creates the start of hosted sessions, each under a new visit cookie. */
export function createBeginHosted(
  visits: Pick<VisitCookie, 'renew'>,
  { codeVerified }: Pick<IdentityProvider, 'codeVerified'>,
  { recordBrowser, refuseSuspended }: Pick<SignIns, 'recordBrowser' | 'refuseSuspended'>,
): BeginHosted {
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
    async afterCode({ sign_in_id: signInId, user_id: userId, medium }, caller, http) {
      if (!signInId) return;
      const amr = await refuseSuspended(signInId, caller);
      // A code that joins a sign-in by key finds its session begun.
      if (amr.includes('pop')) return;
      await begin({ signInId, userId, amr, isOfApp: medium === OTP_MEDIUM.app }, caller, http);
    },
    afterKey: (started, caller, http) =>
      begin({ ...started, amr: KEY_AMR, isOfApp: false }, caller, http),
  };
}
