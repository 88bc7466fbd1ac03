import { sql } from 'kysely';
import type { ServerContext } from '../../core/context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { gatherPerson } from '../../accounts/person.ts';
import { LEFT_OUT, SOURCES } from '../../accounts/personal-data.ts';
import { waitingJobsOf } from './waiting-jobs.ts';

type Row = Readonly<Record<string, unknown>>;

/** All data of one person, by table; secrets and their hashes are left out (PRV-01). */
export type PersonalExport = {
  readonly exportedAt: string;
  readonly tables: Readonly<Record<string, readonly Row[]>>;
  /** Kinds of queued and dead jobs. */
  readonly waiting: readonly string[];
  /** Every other table, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>;
};

type Deps = Pick<ServerContext, 'db' | 'clock' | 'secretBox' | 'audit'>;

/**
 * Exports the data of a person.
 * @returns `null` when there is no such account
 */
export async function exportPerson(
  { db, clock, secretBox, audit }: Deps,
  id: number,
): Promise<PersonalExport | null> {
  return inTransaction(db, async (transaction) => {
    const person = await gatherPerson(transaction, id);
    if (!person) return null;
    const tables: Record<string, readonly Row[]> = {};
    for (const [table, source] of Object.entries(SOURCES)) {
      const hidden: readonly string[] = 'hidden' in source ? source.hidden : [];
      const { rows } = await sql<never>`
        select * from ${sql.table(table)} where ${source.where(person)}`.execute(transaction);
      tables[table] = rows.map((row) => {
        const opened: Row = 'open' in source ? source.open(row, secretBox) : {};
        const shown = Object.entries({ ...(row as Row), ...opened });
        return Object.fromEntries(shown.filter(([column]) => !hidden.includes(column)));
      });
    }
    const waiting = await waitingJobsOf(transaction, secretBox, person);
    await audit({ kind: 'account.exported', userId: id }, transaction);
    return {
      exportedAt: clock.now().toISOString(),
      tables,
      waiting: waiting.map(({ kind }) => kind),
      leftOut: LEFT_OUT,
    };
  });
}
