import * as z from 'zod';
import { nearest } from '#domain/nearest.ts';
import { configCommand as texts } from '#locales/operator/config-command.ts';
import { fill } from '#locales/fill.ts';

/**
 * How a value stands in `porchlight.json`. `file`: a path, meant from where the file is; `json`: a value that the
 * environment has as JSON; `document`: a value that the environment has in a file of its own; `secret`: not at all.
 */
export type Form = 'text' | 'number' | 'list' | 'switch' | 'file' | 'json' | 'document' | 'secret';

/** One setting, once: both places where it may stand, what it may be, and its words by its name in `#locales`. */
export type Setting<Schema extends z.ZodType = z.ZodType> = {
  /** Its place in `porchlight.json`; of a secret the place where people would look for it. */
  readonly path: string;
  /** Its text in the environment. */
  readonly schema: Schema;
  readonly form: Form;
  /** What stands in the place of a file's name, or of JSON. */
  readonly content?: z.ZodType;
};

/** Settings by their names in the environment. */
export type Settings = Readonly<Record<string, Setting>>;

type SchemasOf<Table extends Settings> = { [Name in keyof Table]: Table[Name]['schema'] };
export type ValuesOf<Table extends Settings> = z.output<z.ZodObject<SchemasOf<Table>>>;

export const setting = <Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  form: Form = 'text',
): Setting<Schema> => ({ path, schema, form });

/** One that only the environment may hold. */
export const secret = <Schema extends z.ZodType>(path: string, schema: Schema): Setting<Schema> =>
  setting(path, schema, 'secret');

/** A whole number. */
export const number = <Schema extends z.ZodType>(path: string, schema: Schema): Setting<Schema> =>
  setting(path, schema, 'number');

/** Texts without a comma. */
export const list = <Schema extends z.ZodType>(path: string, schema: Schema): Setting<Schema> =>
  setting(path, schema, 'list');

/** The name of a file or directory. */
export const file = <Schema extends z.ZodType>(path: string, schema: Schema): Setting<Schema> =>
  setting(path, schema, 'file');

const text = z.string().optional();
export const json = (path: string, content: z.ZodType): Setting<typeof text> => ({
  ...setting(path, text, 'json'),
  content,
});
export const document = (path: string, content: z.ZodType): Setting<typeof text> => ({
  ...setting(path, text, 'document'),
  content,
});

/** The schema of an environment. */
export const environmentOf = <Table extends Settings>(table: Table) =>
  z.object(
    Object.fromEntries(
      Object.entries(table).map(([name, { schema }]) => [name, schema]),
    ) as SchemasOf<Table>,
  );

/** What is wrong, and where in the value. */
export type Fault = { readonly at: readonly PropertyKey[]; readonly says: string };

/**
 * Every fault of a value in words; values are not repeated, they may be secrets. With the value's schema a name that
 * there is not gets the nearest one.
 */
export const faultsIn = (error: z.ZodError, schema?: z.ZodType): readonly Fault[] =>
  error.issues.map((issue) => {
    const guess = schema && issue.code === 'unrecognized_keys' ? guessOf(issue, schema) : '';
    return { at: issue.path, says: `${issue.message}${guess}` };
  });

type Shape = {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
};

/** What was probably meant by the first name that there is not. */
function guessOf({ keys, path }: z.core.$ZodIssueUnrecognizedKeys, schema: z.ZodType): string {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  const inside = path.reduce<Shape | undefined>(
    (shape, key) => (typeof key === 'number' ? shape?.items : shape?.properties?.[String(key)]),
    whole,
  );
  const near = nearest(keys[0] ?? '', Object.keys(inside?.properties ?? {}));
  return near === null ? '' : `. ${fill(texts.guess, { name: near })}`;
}

/** A fault in words, without the name of its setting. */
export const faultText = ({ at, says }: Fault): string =>
  at.length > 0 ? `${at.join('.')}: ${says}` : says;
