import fastifyCookie from '@fastify/cookie';
import Fastify, {
  type FastifyInstance,
  type FastifyRequest,
  type FastifySchemaValidationError,
} from 'fastify';
import * as z from 'zod/mini';
import { parseStrictJson } from '#domain/strict-json.ts';
import type { Config } from '../config/config.ts';
import { AppError } from './app-error.ts';
import { installErrors, refuseUnreadable } from './errors.ts';
import { installHeaders, securityHeaders } from './headers.ts';
import { createRequestIds, installRequestContext } from './request-id.ts';

const BODY_LIMIT_BYTES = 32 * 1024;
/** R34: for the headers of a request, and for a whole request, on every path. Later is 408, and the socket is closed. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const TIMEOUT_CHECK_MS = 1000;

/** Of an address that is no route, this much shows where somebody looked; what is longer than a name may be a key. */
const UNKNOWN_PATH_PARTS = 4;
const LONGEST_NAME = 24;

/** Queries carry tokens, and some specified paths carry link keys and addresses: the log has neither (HND-04, R51). */
function loggedRequest({ method, url, routeOptions }: FastifyRequest) {
  const route = routeOptions?.url;
  if (route?.includes(':')) return { method, path: route };
  const path = url.split('?')[0] ?? '';
  // A route for whatever comes below it says as little of the rest as no route.
  const isNamed = route !== undefined && !route.includes('*');
  return { method, path: isNamed ? path : namesIn(path) };
}

/** Up to the first sign that is in no name of ours: some mail programs write a query as a part of the path. */
function namesIn(path: string): string {
  const parts = path
    .replace(/[^\w./-].*$/s, '')
    .split('/')
    .slice(0, UNKNOWN_PATH_PARTS);
  return parts.map((part) => (part.length > LONGEST_NAME ? '…' : part)).join('/');
}

/** The bare server: limits, headers, errors, schemas. It knows no feature. */
export async function createFastify(config: Config, isHttps: boolean): Promise<FastifyInstance> {
  const headers = securityHeaders(isHttps);
  const app = Fastify({
    logger: {
      level: config.logLevel,
      // Written before the call returns: the logger's own stream loses or swaps the last lines of a process that ends.
      stream: process.stdout,
      redact: ['req.headers.cookie', 'req.headers.authorization'],
      serializers: { req: loggedRequest },
    },
    genReqId: createRequestIds(config.trustedProxies),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 4000 },
    forceCloseConnections: 'idle',
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
  // An answer that its row does not describe is a fault of ours, and says nothing.
  app.setSerializerCompiler<z.ZodMiniType>(
    ({ schema }) =>
      (data) =>
        JSON.stringify(z.encode(schema, data)),
  );
  await app.register(fastifyCookie);
  installRequestContext(app);
  installHeaders(app, headers);
  installErrors(app);
  return app;
}

function toFault({ path, code, message }: z.core.$ZodIssue): FastifySchemaValidationError {
  const instancePath = `/${path.join('/')}`;
  return { instancePath, message, keyword: code, schemaPath: '', params: {} };
}
