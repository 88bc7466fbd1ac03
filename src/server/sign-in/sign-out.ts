import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Visit } from '../http/visit-cookie.ts';
import type { IdentityProvider } from '../identity-provider/port.ts';
import type { SignIns } from './sign-ins.ts';

/** @returns whether the bearer was that of a session, which is over now: a page may still hold an earlier one */
type SignOut = (visit: Visit, request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

type Deps = {
  readonly signIns: Pick<SignIns, 'end' | 'endVisit'>;
  readonly identityProvider: Pick<IdentityProvider, 'endSession' | 'settings'>;
};

/** Creates the sign-out here and, if a call can do that, at the hosted login. */
export function createSignOut({ signIns, identityProvider }: Deps): SignOut {
  return async (visit, request, reply) => {
    const hasEnded = await signIns.end(request.headers.authorization, visit);
    if (hasEnded) await identityProvider.endSession(request, reply);
    // A tenant does not report sign-outs: without a bearer, our own page does (D12: no other site can).
    else if (!identityProvider.settings.endsWithApi && isOwnScript(request)) {
      await signIns.endVisit(visit);
    }
    return hasEnded;
  };
}

function isOwnScript({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-dest'] === 'empty';
}
