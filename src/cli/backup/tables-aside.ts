/** Keeps the tables of a PostgreSQL database in a schema of their own until a restore has succeeded. */

import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { UNFINISHED_RESTORE } from '#server/db/migrate.ts';

const ASIDE = 'porchlight_replaced';

/**
 * Tables, views and sequences that belong to no extension and to no column of another one. To the catalog a partition
 * belongs to its table, and a divided table to its own column; each of them is moved and dropped by its name.
 */
const OWN_RELATIONS = sql`select c.oid::regclass::text as name, n.nspname as schema, c.relkind as kind
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  and (c.relispartition or not exists (select 1 from pg_depend d where d.objid = c.oid
    and d.classid = 'pg_class'::regclass and d.refobjid <> c.oid and d.deptype in ('e', 'i', 'a')))`;

const WORDS: Readonly<Record<string, string>> = {
  v: 'view',
  m: 'materialized view',
  f: 'foreign table',
  S: 'sequence',
};

/** Returns whether the database has tables, which a restore would have to put aside. */
export async function hasTables(db: Db): Promise<boolean> {
  const { rows } = await sql`${OWN_RELATIONS} and n.nspname = current_schema()`.execute(db);
  return rows.length > 0;
}

/** Returns a schema with foreign tables; `null` when there is none. */
export async function otherSchema(db: Db): Promise<string | null> {
  const { rows } = await sql<{ schema: string }>`${OWN_RELATIONS}
    and n.nspname not in (current_schema(), ${ASIDE}, 'information_schema')
    and n.nspname not like 'pg\\_%' order by n.nspname limit 1`.execute(db);
  return rows[0]?.schema ?? null;
}

/** How many connections of a Porchlight there are beside this one. */
export async function connectionsOfOthers(db: Db): Promise<number> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and application_name = current_setting('application_name')`.execute(db);
  return rows.length;
}

/**
 * Makes room, in one transaction. From then on no server starts here, until `finish` or `restoreTables`. What an interrupted
 * restore left is dropped; what that one had set aside stays there.
 */
export async function setTablesAside(db: Db): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ is_there: boolean }>`
      select to_regclass(${UNFINISHED_RESTORE}) is not null as is_there`.execute(transaction);
    if (rows[0]?.is_there) {
      await dropAll(transaction);
    } else if (await hasTables(transaction)) {
      const present = await currentSchema(transaction);
      await sql`create schema ${sql.id(ASIDE)}`.execute(transaction);
      await move(transaction, present, ASIDE);
    }
    await sql`create table ${sql.table(UNFINISHED_RESTORE)} (started_at timestamptz not null default now())`.execute(
      transaction,
    );
  });
}

/** As it was before `setTablesAside`. */
export async function restoreTables(db: Db): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const present = await currentSchema(transaction);
    await dropAll(transaction);
    await move(transaction, ASIDE, present);
    await forgetReplaced(transaction);
  });
}

/** Deletes the tables that were set aside. */
export async function forgetReplaced(transaction: Db): Promise<void> {
  await sql`drop schema if exists ${sql.id(ASIDE)} cascade`.execute(transaction);
}

async function currentSchema(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db);
  return rows[0]?.name ?? 'public';
}

async function dropAll(transaction: Db): Promise<void> {
  const schema = await currentSchema(transaction);
  // Of two that depend on each other the second one may be gone already.
  for (const each of await objectsIn(transaction, schema)) {
    await sql.raw(`drop ${each.word} if exists ${each.name} cascade`).execute(transaction);
  }
}

async function move(transaction: Db, from: string, to: string): Promise<void> {
  for (const each of await objectsIn(transaction, from)) {
    const moved = sql.raw(`alter ${each.word} ${each.name} set schema`);
    await sql`${moved} ${sql.id(to)}`.execute(transaction);
  }
}

/** Names are quoted by the database itself, with the schema where that is not the present one. */
type Named = { readonly word: string; readonly name: string };

async function objectsIn(db: Db, schema: string): Promise<readonly Named[]> {
  const relations = await sql<{ name: string; kind: string }>`${OWN_RELATIONS}
    and n.nspname = ${schema}`.execute(db);
  const routines = await sql<{ name: string }>`
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace = (select oid from pg_namespace where nspname = ${schema})
    and not exists (select 1 from pg_depend d
      where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')`.execute(db);
  return [
    ...relations.rows.map(({ name, kind }) => ({ word: WORDS[kind] ?? 'table', name })),
    ...routines.rows.map(({ name }) => ({ word: 'routine', name })),
  ];
}
