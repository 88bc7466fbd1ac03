import { type RawBuilder, sql } from 'kysely';
import type { Tables } from './schema.ts';

/**
 * Adds a row for each row of `source`, a `with` of the statement that this is a part of: as many as its cause happened
 * to. Columns that the row leaves out get their defaults.
 */
export function insertFrom(
  source: string,
  table: keyof Tables,
  row: Readonly<Record<string, unknown>>,
): RawBuilder<unknown> {
  const names = Object.keys(row);
  return sql`
    insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(names.map((name) => sql.ref(`entry.${name}`)))}
    from ${sql.table(source)}, jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::text::jsonb) as entry`;
}
