import fastifyCookie from '@fastify/cookie';
import { createServer, type RequestListener, type Server } from 'node:http';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchemaValidationError,
  LogController,
} from 'fastify';
import * as z from 'zod/mini';
import { parseStrictJson } from '#domain/text/strict-json.ts';
import type { Config } from '../config/config.ts';
import { AppError } from './app-error.ts';
import { createClientAddresses } from './client-address.ts';
import { type ErrorPage, installErrors, refuseUnreadable } from './errors.ts';
import { securityHeaders } from './headers.ts';
import { oneAfterAnother } from './one-after-another.ts';
import { createRequestIds, createTrust, installRequestContext } from './request-id.ts';
import { logsOf } from './tracing/logs.ts';
import { routeTemplate } from './tracing/route.ts';
import type { Tracer } from './tracing/tracer.ts';

const BODY_LIMIT_BYTES = 32 * 1024;
/**
 * R34: milliseconds for the headers of a request, and for a whole request, on every path. Later the answer is 408, and
 * the socket is closed.
 */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const TIMEOUT_CHECK_MS = 1000;
/** Milliseconds. An idle connection is cut, also in the middle of an unread answer (decision 141). */
const STALLED_MS = 15_000;
const KEPT_MS = 72_000;

/** Stands in the log for an unknown address. */
const UNKNOWN_PATH = '…';

/**
 * Queries carry tokens, some specified paths carry link keys and addresses, and people and mail programs alter both:
 * the log has the template of an address and no text of a visitor (HND-04, R51).
 */
function loggedRequest(request: FastifyRequest) {
  const { method } = request;
  const known = asked.get(request) ?? { method, path: routeTemplate(request) ?? UNKNOWN_PATH };
  asked.set(request, known);
  return known;
}
/** As they came: the provider shortens the addresses of its requests. */
const asked = new WeakMap<FastifyRequest, { readonly method: string; readonly path: string }>();

/** Asked every few seconds by proxies and machines. */
const PROBES = /^\/(?:api\/health\/|metrics\b)/;

/** Writes one line a request, at its end; that of a probe only for those who look for faults. */
class OneLineARequest extends LogController {
  override incomingRequest(request: FastifyRequest): void {
    loggedRequest(request);
  }

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (error) return super.requestCompleted(error, request, reply);
    const isProbe = PROBES.test(request.url) && reply.statusCode < 400;
    const line = { req: request, res: reply, responseTime: reply.elapsedTime };
    return reply.log[isProbe ? 'debug' : 'info'](line, 'request completed');
  }
}

type Parts = {
  readonly tracer?: Tracer | null;
  readonly errorPage?: ErrorPage | null;
};

/** Creates the bare server: limits, headers, errors, schemas. It knows no feature. */
export async function createFastify(
  config: Config,
  isHttps: boolean,
  { tracer = null, errorPage = null }: Parts = {},
): Promise<FastifyInstance> {
  const headers = securityHeaders(isHttps);
  const { mixin, childLoggerFactory } = tracer ? logsOf(tracer) : {};
  const app = Fastify({
    logger: {
      level: config.logLevel,
      // Written synchronously: the logger's own stream loses or swaps the last lines of a process that ends.
      stream: process.stdout,
      redact: ['req.headers.cookie', 'req.headers.authorization'],
      serializers: { req: loggedRequest },
      ...(mixin && { mixin }),
    },
    ...(childLoggerFactory && { childLoggerFactory }),
    logController: new OneLineARequest(),
    genReqId: createRequestIds(createTrust(config.trustedProxies)),
    bodyLimit: BODY_LIMIT_BYTES,
    serverFactory: createBoundedServer,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 4000 },
    forceCloseConnections: 'idle',
    // Fastify's own answer has no envelope; requests that still arrive are answered before the server closes.
    return503OnClosing: false,
    frameworkErrors: refuseUnreadable(headers),
  });
  // JSON is the only type that a form on another site cannot send (security D33).
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => {
      try {
        return parseStrictJson(text);
      } catch {
        throw new AppError('BAD_REQUEST');
      }
    },
  );
  app.setValidatorCompiler<z.ZodMiniType>(({ schema }) => (data) => {
    const { success, data: value, error } = schema.safeParse(data);
    return success ? { value } : { error: error.issues.map(toFault) as unknown as Error };
  });
  // An answer that does not fit its schema is a fault of ours, and is answered without data.
  app.setSerializerCompiler<z.ZodMiniType>(
    ({ schema }) =>
      (data) =>
        JSON.stringify(z.encode(schema, data)),
  );
  await app.register(fastifyCookie);
  const readClient = createClientAddresses(config.trustedProxies, () =>
    app.log.warn(
      'a proxy of TRUSTED_PROXIES sent a client address that is none, and counts in its place: docs/operations/deploy.md',
    ),
  );
  app.addHook('onRequest', async ({ raw }) => readClient(raw));
  installRequestContext(app, tracer);
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers));
  app.addHook('onRequest', async ({ url }) => {
    if (!OWN_PATH.test(url)) throw new AppError('NOT_FOUND');
  });
  installErrors(app, errorPage);
  return app;
}

/** Browsers read `//host` and `/\host` as another host: a redirect to such a path of a request would lead there. */
const OWN_PATH = /^\/(?![/\\])/;

function createBoundedServer(serve: RequestListener): Server {
  const options = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: KEPT_MS,
  };
  return createServer(options, oneAfterAnother(serve)).setTimeout(STALLED_MS);
}

function toFault({ path, code, message }: z.core.$ZodIssue): FastifySchemaValidationError {
  const instancePath = `/${path.join('/')}`;
  return { instancePath, message, keyword: code, schemaPath: '', params: {} };
}
