import { randomUUID } from 'node:crypto';
import fastifyCookie from '@fastify/cookie';
import fastifySwagger from '@fastify/swagger';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import type { Config } from '../config/config.ts';
import { installErrors, refuseUnreadable } from './errors.ts';
import { installHeaders, securityHeaders } from './headers.ts';

const BODY_LIMIT_BYTES = 32 * 1024;
/** R34: for the headers of a request, and for a whole request, on every path. Later is 408, and the socket is closed. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const TIMEOUT_CHECK_MS = 1000;

/** Of an address that is no route, this much shows where somebody looked. */
const UNKNOWN_PATH_PARTS = 4;

/** Queries carry tokens, and some specified paths carry link keys and addresses: the log has neither (HND-04, R51). */
function loggedRequest({ method, url, routeOptions }: FastifyRequest) {
  const route = routeOptions?.url;
  if (route?.includes(':')) return { method, path: route };
  const path = url.split('?')[0] ?? '';
  return { method, path: route ? path : path.split('/').slice(0, UNKNOWN_PATH_PARTS).join('/') };
}

/** The bare server: limits, headers, errors, schemas. It knows no feature. */
export async function createFastify(config: Config, isHttps: boolean): Promise<FastifyInstance> {
  const headers = securityHeaders(isHttps);
  const app = Fastify({
    logger: {
      level: config.logLevel,
      redact: ['req.headers.cookie', 'req.headers.authorization'],
      serializers: { req: loggedRequest },
    },
    genReqId: () => randomUUID(),
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
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(fastifyCookie);
  await app.register(fastifySwagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Porchlight', version: '1' } },
    transform: jsonSchemaTransform,
  });
  installHeaders(app, headers);
  installErrors(app);
  return app;
}
