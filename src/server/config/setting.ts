import * as z from 'zod';
import { nearest } from '#domain/text/nearest.ts';
import { configCommand as texts } from '#locales/operator/config-command.ts';
import { fill } from '#locales/fill.ts';
import { faultWords } from './fault-words.ts';

/**
 * The form of a value in `porchlight.json`. `file`: a path relative to the file; `json`: a value that the
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

const inForm =
  (form: Form) =>
  <Schema extends z.ZodType>(path: string, schema: Schema): Setting<Schema> => ({
    path,
    schema,
    form,
  });

export const setting = inForm('text');
/** One that only the environment may hold. */
export const secret = inForm('secret');
export const number = inForm('number');
/** Texts without a comma. */
export const list = inForm('list');
/** `on` or `off` in the environment. */
export const toggle = inForm('switch');
/** The name of a file or directory. */
export const file = inForm('file');

const text = z.string().optional();
export const json = (path: string, content: z.ZodType) => ({
  ...inForm('json')(path, text),
  content,
});
export const document = (path: string, content: z.ZodType) => ({
  ...inForm('document')(path, text),
  content,
});

/** A whole number in the environment. */
export const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

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
export const settingFaults = (error: z.ZodError, schema?: z.ZodType): readonly Fault[] =>
  error.issues.map((issue) => {
    const guess = schema && issue.code === 'unrecognized_keys' ? guessOf(issue, schema) : '';
    return { at: issue.path, says: `${issue.message}${guess}` };
  });

type Issue = z.core.$ZodIssue;
type Unknown = z.core.$ZodIssueUnrecognizedKeys;

/**
 * Reads a value of a file. A name that the schema does not know is left out and is a warning: a later release may have
 * written it (decision 233). Everything else that is wrong is a fault.
 * @returns the value, `null` where there are faults, with what is wrong and what was left out of it
 */
export function readValue<Value>(schema: z.ZodType<Value>, given: unknown) {
  const first = schema.safeParse(given, { error: faultWords });
  if (first.success) return { value: first.data, faults: [], warnings: [] };
  const unknown = first.error.issues.flatMap(unknownIn);
  const parsed = schema.safeParse(without(given, unknown), { error: faultWords });
  return {
    value: parsed.success ? parsed.data : null,
    faults: parsed.success ? [] : settingFaults(parsed.error, schema),
    warnings: unknown.length === 0 ? [] : settingFaults(new z.ZodError(unknown), schema),
  };
}

/** Returns the unknown names of an issue; of alternatives those of one that fits otherwise, when none knows them. */
function unknownIn(issue: Issue): readonly Unknown[] {
  if (issue.code === 'unrecognized_keys') return [issue];
  if (issue.code !== 'invalid_union') return [];
  const namesIn = (each: readonly Issue[]) =>
    each.flatMap((inner) => (inner.code === 'unrecognized_keys' ? inner.keys : []));
  const isKnown = (name: string) => !issue.errors.every((each) => namesIn(each).includes(name));
  const isFitting = (each: readonly Issue[]) =>
    each.every(({ code }) => code === 'unrecognized_keys') && !namesIn(each).some(isKnown);
  return (issue.errors.find(isFitting) ?? []).flatMap((inner) =>
    unknownIn({ ...inner, path: [...issue.path, ...inner.path] }),
  );
}

/** Returns a copy of a value of JSON without the unknown names. */
function without(given: unknown, unknown: readonly Unknown[]): unknown {
  const copy = structuredClone(given);
  for (const { path, keys } of unknown) {
    const inside = path.reduce<unknown>((at, key) => Reflect.get(Object(at), key), copy);
    for (const key of keys) Reflect.deleteProperty(Object(inside), key);
  }
  return copy;
}

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
