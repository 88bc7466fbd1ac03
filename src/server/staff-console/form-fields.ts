import type { DeskLink, FormField } from '#contract/console.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { OperatorError } from '../config/operator-error.ts';

/** What was typed, by the names of fields. */
export type Typed = Readonly<Record<string, string>>;

/** The problems of fields, by their names. */
export class FieldProblems extends Error {
  override readonly name = 'FieldProblems';
  readonly problems: Typed;

  constructor(problems: Typed) {
    super(Object.values(problems).join(' '));
    this.problems = problems;
  }
}

/** Returns a link to a page of the console, such as the form of a row's verb. */
export const linkTo = (label: string, ...at: Parameters<typeof consolePath>): DeskLink => ({
  label,
  href: consolePath(...at),
});

/** Returns a field of a form. */
export const field = (
  kind: FormField['kind'],
  name: string,
  label: string,
  more: Omit<FormField, 'kind' | 'name' | 'label'> = {},
): FormField => ({ name, label, kind, ...more });

/** Returns the choices of a field. */
export const optionsOf = <Value extends string | number>(
  values: readonly Value[],
  labelOf: (value: Value) => string = String,
) => values.map((value) => ({ value: String(value), label: labelOf(value) }));

/** Reads each field by a function of the command line; a refusal stands at its field. @throws FieldProblems of all */
export async function readFields<Values extends object>(readers: {
  readonly [Name in keyof Values]: () => Values[Name] | Promise<Values[Name]>;
}): Promise<Values> {
  const problems: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  for (const [name, read] of Object.entries<() => unknown>(readers)) {
    try {
      values[name] = await read();
    } catch (error) {
      if (error instanceof OperatorError) problems[name] = error.message;
      else if (error instanceof FieldProblems) Object.assign(problems, error.problems);
      else throw error;
    }
  }
  if (Object.keys(problems).length > 0) throw new FieldProblems(problems);
  return values as Values;
}

/** Returns what was typed into fields, trimmed; '' for a field that was not sent. */
export const typedIn = (
  fields: readonly FormField[],
  sent: Pick<URLSearchParams | FormData, 'get' | 'getAll'>,
): Typed =>
  Object.fromEntries(
    fields
      .filter(({ kind }) => kind !== 'file')
      .map(({ name, kind }) => {
        const ticked = sent.getAll(name).filter((each) => typeof each === 'string');
        const value = kind === 'checks' ? ticked.join(' ') : sent.get(name);
        return [name, typeof value === 'string' ? value.trim() : ''];
      }),
  );

/** Returns the fields with what was typed, and with their problems. */
export const filled = (fields: readonly FormField[], typed: Typed, problems: Typed = {}) =>
  fields.map((field): FormField => {
    const { [field.name]: given = field.value ?? '' } = typed;
    const value = field.kind === 'secret' ? '' : given;
    const { [field.name]: problem } = problems;
    return { ...field, value, ...(problem !== undefined && { problem }) };
  });
