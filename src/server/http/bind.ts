import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import {
  type Body,
  CONTRACT,
  type Data,
  type Level,
  type Params,
  type Query,
  type Row,
} from '#contract/index.ts';
import type { Envelope } from '#contract/envelope.ts';
import { type CallName, routeOf } from '#contract/routes.ts';
import { recordInRequest } from '../audit/request-context.ts';
import { AppError } from './app-error.ts';
import { refuseForgery, refuseOtherSites } from './csrf.ts';
import type { Visit, VisitCookie } from './visit-cookie.ts';
import type { Cookies } from '../core/cookies.ts';

/** A complete sign-in, proven by bearer and visit cookie together. */
export type Session = {
  readonly signInId: string;
  readonly appState: string;
  readonly userId: number;
  readonly visitId: string;
};

export type Call<Name extends CallName> = {
  readonly params: Params<Name>;
  readonly query: Query<Name>;
  readonly body: Body<Name>;
  readonly ip: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
} & (Contract[Name]['level'] extends 'visit'
  ? { readonly visit: Visit }
  : Contract[Name]['level'] extends 'session'
    ? { readonly visit: Visit; readonly session: Session }
    : unknown);

type Contract = typeof CONTRACT;

/** `with: 'signIn'`: the visit's sign-in is read together with the visit, as a session's always is. */
type Options = { readonly with: 'signIn' };

export type Binder = <Name extends CallName>(
  name: Name,
  handler: (call: Call<Name>) => Promise<Data<Name> | Envelope<Data<Name>>>,
  options?: Options,
) => void;

type Guards = {
  readonly visits: VisitCookie;
  readonly signIns: {
    /** Returns the visit of a request, and keeps its sign-in for the next call that needs it. */
    findVisit(cookies: Cookies): Promise<Visit | null>;
    /** @throws AppError NO_SESSION */
    authenticate(bearer: string | undefined, visit: Visit): Promise<Session>;
  };
};

/** Binds a row of the contract to its handler: schemas both ways, the caller's level, the envelope. */
export function createBinder(app: FastifyInstance, guards: Guards): Binder {
  return (name, handler, options) => {
    const row: Row = CONTRACT[name];
    const { method, path } = routeOf(name);
    app.route({
      method,
      url: path,
      schema: {
        ...(row.params && { params: row.params }),
        ...(row.query && { querystring: row.query }),
        ...(row.body && { body: row.body }),
        response: { 200: envelopeOf(row.data) },
      },
      handler: async (request, reply) => {
        const caller = await admit({ ...row, ...options }, request, reply, guards);
        const { params, query, body, ip } = request;
        const call = { params, query, body, ip, request, reply, ...caller };
        const answer = await handler(call as never);
        return isEnvelope(answer) ? answer : succeeded(answer);
      },
    });
  };
}

async function admit(
  { level, with: beside }: { readonly level: Level } & Partial<Options>,
  request: FastifyRequest,
  reply: FastifyReply,
  { visits, signIns }: Guards,
): Promise<object> {
  if (level === 'public' || level === 'module') return {};
  refuseOtherSites(request);
  const { cookies, headers } = request;
  const isWithSignIn = level === 'session' || beside === 'signIn';
  const visit = await (isWithSignIn ? signIns.findVisit(cookies) : visits.find(cookies));
  if (visit) refuseForgery(request, (sent) => visits.isOwnXsrf(visit, cookies, sent));
  if (level === 'visit') return { visit: await visits.ensure(request, reply, visit) };
  if (!visit) throw new AppError('NO_SESSION');
  const session = await signIns.authenticate(headers.authorization, visit);
  recordInRequest({ userId: session.userId });
  return { visit, session };
}

/** Returns the schema of a call's answer (WIR-01). */
export function envelopeOf(data: z.ZodMiniType): z.ZodMiniType {
  return z.object({
    succeeded: z.boolean(),
    data: z.nullable(data),
    messages: z.array(z.string()),
    errorFlag: z.nullable(z.string()),
  });
}

/** Wraps data in the envelope of a success. */
export function succeeded<T>(data: T, messages: readonly string[] = []): Envelope<T> {
  return { succeeded: true, data, messages, errorFlag: null };
}

function isEnvelope<T>(answer: T | Envelope<T>): answer is Envelope<T> {
  return typeof answer === 'object' && answer !== null && 'succeeded' in answer;
}
