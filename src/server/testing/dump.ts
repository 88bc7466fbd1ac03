import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** Every row of every table as text, as a thief of the database would read it. */
export async function dumpTables(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
    db,
  );
  const texts: string[] = [];
  for (const { name } of rows) {
    const found = await sql<{ row: string }>`
      select row_to_json(t)::text as row from ${sql.table(name)} t`.execute(db);
    texts.push(`== ${name}`, ...found.rows.map(({ row }) => row));
  }
  return texts.join('\n');
}
