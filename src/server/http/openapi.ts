import * as z from 'zod/mini';
import { type CallName, ROUTES, routeOf } from '#contract/routes.ts';
import { CONTRACT, type Row } from '#contract/index.ts';
import { envelopeOf } from './bind.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The calls of the contract as an OpenAPI 3.1 document (WIR-03). */
export function describeApi(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const name of Object.keys(ROUTES) as CallName[]) {
    const { method, path } = routeOf(name);
    const operations = (paths[path.replaceAll(/:(\w+)/g, '{$1}')] ??= {});
    operations[method.toLowerCase()] = operationOf(name, CONTRACT[name]);
  }
  return { openapi: '3.1.0', info: { title: 'Porchlight', version: '1' }, paths };
}

function operationOf(operationId: string, row: Row): object {
  const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } });
  const parameters = [...parametersOf(row.params, 'path'), ...parametersOf(row.query, 'query')];
  return {
    operationId,
    summary: row.summary,
    ...(parameters.length > 0 && { parameters }),
    ...(row.body && { requestBody: { required: true, ...json(schemaOf(row.body, 'input')) } }),
    responses: {
      200: { description: 'The envelope', ...json(schemaOf(envelopeOf(row.data), 'output')) },
    },
  };
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

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  // What JSON Schema cannot say, such as a rule of our own, is left to the server.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
