import type { FastifyReply, FastifyRequest } from 'fastify';
import { OTP_MEDIUM } from '#domain/proofs/otp.ts';
import type { Caller, VisitCookie } from '../http/visit-cookie.ts';
import type { IdentityProvider } from '../identity-provider/port.ts';
import type { Otp } from '../otp/otp-store.ts';
import type { SignIns } from './sign-ins.ts';

/** A sign-in whose last step was right. */
type VerifiedSignIn = Parameters<IdentityProvider['codeVerified']>[0] & {
  readonly signInId: string;
};

export type BeginHosted = (
  signIn: VerifiedSignIn,
  caller: Pick<Caller, 'ip'>,
  http: { readonly request: FastifyRequest; readonly reply: FastifyReply },
) => Promise<void>;

/** Begins the hosted session of a sign-in whose last step was right, under a new visit cookie. */
export function createBeginHosted(
  visits: Pick<VisitCookie, 'renew'>,
  { codeVerified }: Pick<IdentityProvider, 'codeVerified'>,
  { recordBrowser }: Pick<SignIns, 'recordBrowser'>,
): BeginHosted {
  return async ({ signInId, ...of }, { ip }, { request, reply }) => {
    await visits.renew(request, reply);
    const hostedUid = await codeVerified(of, request, reply);
    const userAgent = request.headers['user-agent'] ?? '';
    await recordBrowser(signInId, { userAgent, ip, hostedUid });
  };
}

/** Begins the hosted session of a sign-in by its right code, and by nothing before it (SRV-08). */
export const createAfterVerified =
  ({ refuseSuspended }: Pick<SignIns, 'refuseSuspended'>, beginHosted: BeginHosted) =>
  async (
    { sign_in_id: signInId, user_id: userId, medium }: Otp,
    caller: Caller,
    http: Parameters<BeginHosted>[2],
  ): Promise<void> => {
    if (!signInId) return;
    const amr = await refuseSuspended(signInId, caller);
    // A code that joins a sign-in by key finds its session begun.
    if (amr.includes('pop')) return;
    const isOfApp = medium === OTP_MEDIUM.app;
    await beginHosted({ signInId, userId, amr, isOfApp }, caller, http);
  };
