import { randomUUID } from 'node:crypto';
import fastifyCookie from '@fastify/cookie';
import fastifySwagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import type { Config } from '../config.ts';
import { installErrors, refuseUnreadable } from './errors.ts';
import { installHeaders, securityHeaders } from './headers.ts';

const BODY_LIMIT_BYTES = 32 * 1024;

/** The bare server: limits, headers, errors, schemas. It knows no feature. */
export async function createFastify(config: Config, isHttps: boolean): Promise<FastifyInstance> {
  const headers = securityHeaders(isHttps);
  const app = Fastify({
    logger: {
      level: config.logLevel,
      redact: ['req.headers.cookie', 'req.headers.authorization'],
      // Queries carry tokens and link keys: the log has paths only (decisions 5).
      serializers: { req: ({ method, url }) => ({ method, path: url.split('?')[0] }) },
    },
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT_BYTES,
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
