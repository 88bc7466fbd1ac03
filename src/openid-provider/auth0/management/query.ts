/** Query parameters of the Management API. Each is applied or refused with 400: none is ignored (IDP-10). */

import { z } from 'zod';
import type { Context } from '../../context.ts';
import { ManagementProblem } from './problems.ts';
import { CONNECTION } from './profile.ts';

const MAX_PER_PAGE = 100;

const count = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);
const perPage = count.refine((given) => given <= MAX_PER_PAGE);
const flag = z.enum(['true', 'false']).transform((given) => given === 'true');

const paged = {
  page: count.default(0),
  per_page: perPage.default(50),
  include_totals: flag.default(false),
};
const shown = {
  /** Names of the answer's own members, not of nested ones. */
  fields: z
    .string()
    .regex(/^\w+(,\w+)*$/)
    .transform((names) => names.split(','))
    .optional(),
  include_fields: flag.default(true),
};
/** The only order of the log. */
const newestFirst = z.literal('date:-1').optional();

/** The one form of Auth0's query language that is supported. */
const search = z
  .string()
  .regex(/^$|^email:\s*(?:"[^"\0]+"|[^\s"*\0]+)$/)
  .transform((text) => text.replace(/^email:\s*/, '').replaceAll('"', '') || null);

export const oneUserQuery = z.strictObject(shown);
export const byEmailQuery = z.strictObject({
  // PostgreSQL stores no NUL.
  email: z.string().regex(/^[^\0]+$/),
  ...shown,
});
export const usersQuery = z.strictObject({
  ...paged,
  ...shown,
  q: search.default(null),
  search_engine: z.literal('v3').optional(),
  sort: z.enum(['created_at:1', 'created_at:-1']).default('created_at:1'),
  connection: z.literal(CONNECTION).optional(),
});
export const userLogsQuery = z.strictObject({ ...paged, sort: newestFirst });
export const logsQuery = z.strictObject({ ...paged, ...shown, sort: newestFirst });
/** The query of entries after a given one, in order of time. */
export const laterLogsQuery = z.strictObject({
  from: z.string().regex(/^\d+$/),
  take: perPage.default(50),
  ...shown,
});
export const sessionsQuery = z.strictObject({
  from: z
    .string()
    .regex(/^\d{12}\.[\w-]+$/)
    .optional(),
  take: perPage.refine((given) => given > 0).default(50),
  /** Auth0's SDK always sends it; the answer has no totals there either. */
  include_totals: flag.optional(),
});
export const noQuery = z.strictObject({});

/**
 * Returns the parsed parameters.
 * @throws ManagementProblem naming the first unknown or invalid one
 */
export function checkedQuery<T extends z.ZodType>(ctx: Context, schema: T): z.infer<T> {
  const parsed = schema.safeParse({ ...ctx.query });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path.join('.');
  throw new ManagementProblem(400, 'invalid_query_string', `Query validation error: ${where}`);
}

type Shown = { readonly fields?: readonly string[] | undefined; readonly include_fields: boolean };

/** Returns a function that keeps the named members of an answer, or with `include_fields=false` the others. */
export function shownBy({ fields, include_fields: isKept }: Shown): (full: object) => object {
  if (!fields) return (full) => full;
  return (full) =>
    Object.fromEntries(Object.entries(full).filter(([name]) => fields.includes(name) === isKept));
}
