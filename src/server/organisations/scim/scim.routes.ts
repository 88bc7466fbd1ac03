import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { parseStrictJson } from '#domain/text/strict-json.ts';
import type { FullContext } from '../../access/context.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import { AppError } from '../../http/app-error.ts';
import { organisationByBearer } from '../organisation-store.ts';
import {
  listOf,
  SCHEMAS,
  SERVICE_PROVIDER_CONFIG,
  USER_SCHEMA,
  USER_TYPE,
} from './scim-documents.ts';
import { invalid, ScimError } from './scim-error.ts';
import { createScimUsers } from './scim-users.ts';

const TYPE = 'application/scim+json; charset=utf-8';
const DOCUMENTS: Readonly<Record<string, object>> = {
  ServiceProviderConfig: SERVICE_PROVIDER_CONFIG,
  ResourceTypes: listOf([USER_TYPE]),
  'ResourceTypes/User': USER_TYPE,
  Schemas: listOf([USER_SCHEMA]),
  [`Schemas/${SCHEMAS.user}`]: USER_SCHEMA,
};

type Asked = {
  readonly Params: { readonly document: string; readonly id: string };
  readonly Querystring: Readonly<Record<string, unknown>>;
};
type Work = (
  users: ReturnType<typeof createScimUsers>,
  request: FastifyRequest<Asked>,
) => Promise<object | void>;

const document: Work = async (_users, { params }) => {
  const found = DOCUMENTS[[params.document, params.id].filter(Boolean).join('/')];
  if (!found) throw new ScimError(404, 'There are Users alone.');
  return found;
};

const ROUTES: readonly (readonly [HTTPMethods, string, Work])[] = [
  ['GET', ':document', document],
  ['GET', ':document/:id', document],
  ['GET', 'Users', (users, { query }) => users.list(query)],
  ['POST', 'Users', (users, { body }) => users.create(body)],
  ['GET', 'Users/:id', (users, { params }) => users.read(params.id)],
  ['PUT', 'Users/:id', (users, { params, body }) => users.replace(params.id, body)],
  ['PATCH', 'Users/:id', (users, { params, body }) => users.patch(params.id, body)],
  ['DELETE', 'Users/:id', (users, { params }) => users.remove(params.id)],
];

/** Installs SCIM 2.0 for the directories of organisations: Users alone, one bearer an organisation (FED-08). */
export async function installScim(app: FastifyInstance, context: FullContext): Promise<void> {
  /** Returns the people of the organisation whose bearer the request has; each event names it. @throws ScimError */
  async function usersFor({ headers, ip }: FastifyRequest) {
    const { db, rateLimits, audit } = context;
    await rateLimits.check([RATE_LIMITS.wrongBearerPerIp, ip]);
    const [, bearer] = /^Bearer +([\w-]{1,200})$/i.exec(headers.authorization ?? '') ?? [];
    const organisation = bearer && (await organisationByBearer(db, bearer));
    if (!organisation) {
      if (bearer) await rateLimits.isWithin([RATE_LIMITS.wrongBearerPerIp, ip]);
      throw new ScimError(401, 'The bearer is missing, was replaced, or its organization is off.');
    }
    const { id } = organisation;
    await rateLimits.consume([RATE_LIMITS.scimPerOrganisation, id]);
    const actor = `organisation:${id}`;
    return createScimUsers(
      { ...context, audit: (event, own) => audit({ ip, actor, ...event }, own) },
      organisation,
    );
  }

  const send = (reply: FastifyReply, body: object, status = 200) =>
    reply.status(status).header('cache-control', 'no-store').type(TYPE).send(JSON.stringify(body));

  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/scim+json',
      { parseAs: 'string' },
      async (_request: FastifyRequest, text: string) => {
        try {
          return text === '' ? undefined : parseStrictJson(text);
        } catch {
          throw invalid('The body is no JSON.');
        }
      },
    );
    scope.setErrorHandler((error, request, reply) => {
      const isOwn = error instanceof ScimError;
      const fault = isOwn || error instanceof AppError ? error : new AppError(codeOf(error));
      const { status } = fault;
      if (status === 500)
        request.log.error({ err: error, reference: request.id }, 'request failed');
      if (status === 401) reply.header('www-authenticate', 'Bearer realm="scim"');
      const body = { schemas: [SCHEMAS.error], status: String(status) };
      if (fault instanceof ScimError) {
        const { scimType, message: detail } = fault;
        return send(reply, { ...body, scimType, detail }, status);
      }
      const { retryAfterMs } = fault.details;
      if (retryAfterMs) reply.header('retry-after', Math.ceil(retryAfterMs / 1000));
      return send(reply, { ...body, detail: fault.messages.join(' ') }, status);
    });

    for (const [method, path, work] of ROUTES) {
      scope.route<Asked>({
        method,
        url: `/scim/v2/${path}`,
        async handler(request, reply) {
          const body = await work(await usersFor(request), request);
          // The notices of ended sessions go out at once.
          context.outbox.wake();
          if (!body) return reply.status(204).send();
          return send(reply, body, method === 'POST' ? 201 : 200);
        },
      });
    }
  });
}

/** A fault of ours is told without its own words. */
const codeOf = (error: unknown) => {
  const { statusCode = 500 } = error as { readonly statusCode?: number };
  return statusCode < 500 ? 'BAD_REQUEST' : 'UNEXPECTED';
};
