import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseStrictJson } from '#domain/text/strict-json.ts';
import type { FullContext } from '../../access/context.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import { AppError } from '../../http/app-error.ts';
import { organisationByBearer } from '../organisation-store.ts';
import {
  listOf,
  readPage,
  RESOURCE_TYPES,
  SCHEMAS,
  SERVICE_PROVIDER_CONFIG,
  USER_SCHEMAS,
} from './scim-documents.ts';
import { invalid, ScimError, type ScimType } from './scim-error.ts';
import { readFilter } from './scim-person.ts';
import { createScimUsers } from './scim-users.ts';

const PATH = '/scim/v2';
const TYPE = 'application/scim+json; charset=utf-8';
const DOCUMENTS: Readonly<Record<string, object>> = {
  ServiceProviderConfig: SERVICE_PROVIDER_CONFIG,
  ResourceTypes: listOf(RESOURCE_TYPES),
  'ResourceTypes/User': RESOURCE_TYPES[0] ?? {},
  Schemas: listOf(USER_SCHEMAS),
  [`Schemas/${SCHEMAS.user}`]: USER_SCHEMAS[0] ?? {},
};

type OfDocument = { readonly Params: { readonly document: string; readonly id?: string } };
type OfId = { readonly Params: { readonly id: string } };
type Query = Readonly<Record<string, unknown>>;

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
      const { status, scimType, detail, retryAfterMs } = asScim(error);
      if (status === 500)
        request.log.error({ err: error, reference: request.id }, 'request failed');
      if (status === 401) reply.header('www-authenticate', 'Bearer realm="scim"');
      if (retryAfterMs) reply.header('retry-after', Math.ceil(retryAfterMs / 1000));
      const body = { schemas: [SCHEMAS.error], status: String(status), scimType, detail };
      return send(reply, body, status);
    });

    for (const path of [`${PATH}/:document`, `${PATH}/:document/:id`]) {
      scope.get<OfDocument>(path, async (request, reply) => {
        await usersFor(request);
        const { document, id } = request.params;
        const found = DOCUMENTS[[document, id].filter(Boolean).join('/')];
        if (!found) throw new ScimError(404, 'There are Users alone.');
        return send(reply, found);
      });
    }
    scope.get<{ Querystring: Query }>(`${PATH}/Users`, async (request, reply) => {
      const users = await usersFor(request);
      const { filter } = request.query;
      const page = readPage(request.query);
      const found = await users.list(filter === undefined ? null : readFilter(filter), page);
      return send(reply, listOf(found.resources, page.startIndex, found.total));
    });
    scope.post(`${PATH}/Users`, async (request, reply) => {
      const users = await usersFor(request);
      const made = await users.create(request.body);
      return send(reply, made, 201);
    });
    scope.get<OfId>(`${PATH}/Users/:id`, async (request, reply) =>
      send(reply, await (await usersFor(request)).read(request.params.id)),
    );
    scope.put<OfId>(`${PATH}/Users/:id`, async (request, reply) => {
      const users = await usersFor(request);
      return done(reply, await users.replace(request.params.id, request.body));
    });
    scope.patch<OfId>(`${PATH}/Users/:id`, async (request, reply) => {
      const users = await usersFor(request);
      return done(reply, await users.patch(request.params.id, request.body));
    });
    scope.delete<OfId>(`${PATH}/Users/:id`, async (request, reply) => {
      await (await usersFor(request)).remove(request.params.id);
      context.outbox.wake();
      return reply.status(204).send();
    });
  });

  /** The notices of ended sessions go out at once. */
  function done(reply: FastifyReply, person: object): FastifyReply {
    context.outbox.wake();
    return send(reply, person);
  }
}

type Refused = {
  readonly status: number;
  readonly scimType?: ScimType | undefined;
  readonly detail: string;
  readonly retryAfterMs?: number | undefined;
};

/** Returns a refusal in the words of RFC 7644, 3.12; a fault of ours without its own words. */
function asScim(error: unknown): Refused {
  if (error instanceof ScimError) return { ...error, detail: error.message };
  const { status, details, messages } =
    error instanceof AppError ? error : new AppError(codeOf(error));
  return { status, detail: messages.join(' '), retryAfterMs: details.retryAfterMs };
}

const codeOf = (error: unknown) => {
  const { statusCode = 500 } = error as { readonly statusCode?: number };
  return statusCode < 500 ? 'BAD_REQUEST' : 'UNEXPECTED';
};
