import * as z from 'zod';
import { settings as words, settingSections } from '#locales/operator/settings.ts';
import type { Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

type Schema = { readonly [key: string]: unknown };
type Name = keyof typeof SETTINGS;

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** One setting as people read it. */
export type SettingRow = {
  readonly name: Name;
  /** Its place in the file. */
  readonly path: string;
  readonly isSecret: boolean;
  /** What stands in the file; of a secret nothing may. */
  readonly schema: Schema;
  readonly meaning: string;
  /** In words, with code in backticks. */
  readonly otherwise: string;
};

/** Every setting, in the order of the table. */
export const settingRows = (): readonly SettingRow[] =>
  (Object.keys(SETTINGS) as Name[]).map((name) => {
    const row: Setting = SETTINGS[name];
    const { meaning, ...more }: { meaning: string; otherwise?: string } = words[name];
    const schema = inFile(row);
    const { default: standard, ...others } = schema;
    return {
      name,
      path: row.path,
      isSecret: row.form === 'secret',
      schema: { description: meaning, ...(more.otherwise === undefined ? schema : others) },
      meaning,
      otherwise: more.otherwise ?? (standard === undefined ? 'none' : `\`${inWords(standard)}\``),
    };
  });

const inWords = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** JSON Schema (2020-12) of `porchlight.json`. A secret has no place in it. */
export function configSchema(): Schema {
  const properties: Record<string, Schema> = { $schema: { type: 'string' } };
  for (const { path, isSecret, schema } of settingRows()) {
    if (!isSecret) place(properties, path.split('.'), schema);
  }
  return {
    $schema: DIALECT,
    title: 'porchlight.json',
    description: 'Settings of Porchlight that are no secrets: docs/configuration.md',
    ...objectOf(properties),
  };
}

const objectOf = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  additionalProperties: false,
});

function place(properties: Record<string, Schema>, path: readonly string[], schema: Schema): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) {
    properties[key] = schema;
    return;
  }
  const description = (settingSections as Readonly<Record<string, string>>)[key];
  const section = (properties[key] ??= { ...(description && { description }), ...objectOf({}) });
  place(section.properties as Record<string, Schema>, rest, schema);
}

/** What may stand in the file for a setting. */
function inFile({ form, schema, content }: Setting): Schema {
  const { default: standard, ...rest } = jsonSchema(schema);
  const otherwise = standard === undefined || standard === '' ? {} : { default: standard };
  switch (form) {
    case 'list':
      return { type: 'array', items: { type: 'string', pattern: '^[^,]+$' } };
    case 'switch':
      return { type: 'boolean', default: standard === 'on' };
    case 'json':
      return jsonSchema(content ?? z.never());
    case 'document':
      return { anyOf: [{ type: 'string' }, jsonSchema(content ?? z.never())] };
    case 'text':
    case 'number':
    case 'file':
    case 'secret':
      return { ...rest, ...otherwise };
  }
}

/** As it is written, before defaults are filled in; what only code can check is left out. */
function jsonSchema(schema: z.ZodType): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}
