import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import { type CallName, HANDOFF_KEYS_PATH, ROUTES, routeOf } from '#contract/routes.ts';
import { CONTRACT, type Row } from '#contract/index.ts';
import { envelopeOf } from './bind.ts';

/** Serves the document of the contract, which is written once. */
export function installOpenApi(app: FastifyInstance): void {
  let description: object | undefined;
  app.get('/api/openapi.json', () => (description ??= describeApi()));
}

/** Returns the calls of the contract as an OpenAPI 3.1 document (WIR-03). */
export function describeApi(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const name of Object.keys(ROUTES) as CallName[]) {
    const { method, path } = routeOf(name);
    const operations = (paths[path.replaceAll(/:(\w+)/g, '{$1}')] ??= {});
    operations[method.toLowerCase()] = operationOf(name, CONTRACT[name]);
  }
  paths[HANDOFF_KEYS_PATH] = { get: KEYS_OPERATION };
  const schemes = { [MODULE_SCHEME]: { type: 'http', scheme: 'basic', description: BASIC } };
  return {
    openapi: '3.1.0',
    info: { title: 'Porchlight', version: '1' },
    paths,
    components: { securitySchemes: schemes },
  };
}

const MODULE_SCHEME = 'module';
const BASIC = 'The id of the module and its secret';

/** RFC 7517: a JWK set, and no envelope around it. */
const KEYS_OPERATION = {
  operationId: 'getHandoffKeys',
  summary: 'The public keys that modules verify hand-offs and logout tokens with',
  responses: {
    200: {
      description: 'A JWK set',
      ...json(z.looseObject({ keys: z.array(z.looseObject({})) }), 'output'),
    },
  },
};

function operationOf(operationId: string, row: Row): object {
  const parameters = [...parametersOf(row.params, 'path'), ...parametersOf(row.query, 'query')];
  return {
    operationId,
    summary: row.summary,
    ...(parameters.length > 0 && { parameters }),
    ...(row.body && { requestBody: { required: true, ...json(row.body, 'input') } }),
    ...(row.level === 'module' && { security: [{ [MODULE_SCHEME]: [] }] }),
    responses: {
      200: { description: 'The envelope', ...json(envelopeOf(row.data), 'output') },
      ...refusalsOf(row.refusals ?? []),
    },
  };
}

/** Groups refusals by status; a status may have several codes. */
function refusalsOf(codes: readonly ErrorCode[]): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, flags]) => {
      const schema = z.object({
        succeeded: z.literal(false),
        errorFlag: z.enum(flags),
        messages: z.array(z.string()),
        data: z.null(),
      });
      return [status, { description: flags.join(', '), ...json(schema, 'output') }];
    }),
  );
}

function parametersOf(schema: z.ZodMiniType | undefined, place: 'path' | 'query'): object[] {
  const { properties = {}, required = [] } = schema ? schemaOf(schema, 'input') : {};
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }));
}

function json(schema: z.ZodMiniType, io: 'input' | 'output'): object {
  return { content: { 'application/json': { schema: schemaOf(schema, io) } } };
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): z.core.JSONSchema.BaseSchema {
  // The server checks rules that JSON Schema cannot express.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
