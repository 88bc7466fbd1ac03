import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Visit } from '../http/visit-cookie.ts';
import type { SignIns } from './sign-ins.ts';

export type SignOut = (visit: Visit, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

type Deps = {
  readonly signIns: Pick<SignIns, 'end' | 'endVisit'>;
  readonly endProviderSession: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** False with a tenant: the browser itself visits the hosted login's logout address, and comes here first. */
  readonly endsWithApi: boolean;
};

/** Creates the sign-out here and, if a call can do that, at the hosted login. */
export function createSignOut({ signIns, endProviderSession, endsWithApi }: Deps): SignOut {
  return async (visit, request, reply) => {
    const hasEnded = await signIns.end(request.headers.authorization, visit);
    if (hasEnded) await endProviderSession(request, reply);
    // A tenant does not report sign-outs: without a bearer, our own page does (D12: no other site can).
    else if (!endsWithApi && isOwnScript(request)) await signIns.endVisit(visit);
  };
}

function isOwnScript({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-dest'] === 'empty';
}
