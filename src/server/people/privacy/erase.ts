import { type Expression, type RawBuilder, sql } from 'kysely';
import { RATE_LIMITS } from '../../config/limits.ts';
import { findAccount } from '../../accounts/account-store.ts';
import { rateLimitKey } from '../../abuse/rate-limits.ts';
import { lockChain, ensureChain } from '../../audit/audit-store.ts';
import { sealAll } from '../../audit/sealing.ts';
import { ERASED } from '../../audit/verify.ts';
import type { Db } from '../../db/database.ts';
import { SIGN_OUT_NOTICE_JOB } from '../../hand-off/sign-out-notices.ts';
import { LOGOUT_NOTICE_JOB } from '../../identity-provider/oauth-clients/back-channel.ts';
import type { DeedContext } from '../../access/context.ts';
import { endHelpOfAccount } from '../../helpers/helpers.ts';
import { keepOperator } from '../../access/last-operator.ts';
import { endAllAccess } from '../../access/sessions.ts';
import { gatherPerson } from '../../accounts/person.ts';
import { type Person, SOURCES } from '../../accounts/personal-data.ts';
import { waitingJobsOf } from './waiting-jobs.ts';

/** Deleted rows, by table; for the audit log, the rows that were made anonymous. */
export type Erased = Readonly<Record<string, number>>;

/** Rows a statement, few enough for its time limit on a slow disk. */
const BATCH = 5000;

/** Applications and modules are notified of ended sessions, also when the person is erased meanwhile (decision 164). */
const NOTICES: ReadonlySet<string> = new Set([LOGOUT_NOTICE_JOB, SIGN_OUT_NOTICE_JOB]);

/**
 * Deletes all data of one person, in one transaction (PRV-02). The audit log keeps its rows, without the account and
 * the address. Modules and applications are notified that the sessions have ended (decision 164).
 * @returns `null` when there is no such account
 * @throws AppError LAST_OPERATOR
 */
export async function erasePerson(context: DeedContext, id: number): Promise<Erased | null> {
  const { clock, secretBox, audit } = context;
  return keepOperator(context, async (transaction) => {
    // The audit chain's writer takes this lock first, too.
    await lockChain(transaction);
    const person = await gatherPerson(transaction, id);
    if (!person) return null;
    const account = await findAccount(transaction, id);
    // Read before the codes are deleted, which link a message to an account.
    const jobs = (await waitingJobsOf(transaction, secretBox, person)).filter(
      ({ kind }) => !NOTICES.has(kind),
    );
    await endHelpOfAccount(context, transaction, id);
    for (const each of person.ids) await endAllAccess(context, transaction, each);
    const counts: Record<string, number> = {};
    // Includes rows that would be deleted by cascade, and dependent rows first, so that all are counted.
    for (const [table, source] of Object.entries(SOURCES).toReversed()) {
      if (source.erasedBy === 'own') continue;
      counts[table] = await remove(transaction, table, source.where(person));
    }
    counts.outbox = await remove(
      transaction,
      'outbox',
      jobs.length === 0 ? sql`false` : sql`id in (${sql.join(jobs.map((job) => job.id))})`,
    );
    const keys = limitKeysOf(secretBox, person);
    counts.limits = await remove(transaction, 'limits', sql`key in (${sql.join(keys)})`);
    counts.users = await remove(transaction, 'users', SOURCES.users.where(person));
    // A browser with which another person signs in too is kept.
    counts.visits = await remove(
      transaction,
      'visits',
      sql`${SOURCES.visits.where(person)}
        and not exists (select 1 from sign_ins where visit_id = visits.id and user_id is not null)
        and not exists (select 1 from registrations where visit_id = visits.id)
        and not exists (select 1 from otp_codes where visit_id = visits.id)`,
    );
    await sealAll(transaction, { clock, secretBox });
    const chain = await ensureChain(transaction, { clock, secretBox });
    counts.audit_events = await inBatches(
      (batch) => sql`update audit_events set user_id = null, ip = null
        where id = any(array(select id from audit_events where ${SOURCES.audit_events.where(person)} ${batch}))
        returning 1`,
      transaction,
    );
    for (const each of person.ids) {
      const details = { subject: chain.subjectOf(each), counts: each === id ? counts : {} };
      const isAccount = each === id && account !== undefined;
      const erased = isAccount && { userId: id, subtenantId: account.subtenant_id };
      await audit({ kind: ERASED, details, ...(erased && { erased }) }, transaction);
    }
    return counts;
  });
}

function remove(transaction: Db, table: string, where: Expression<unknown>): Promise<number> {
  return inBatches(
    (batch) => sql`delete from ${sql.table(table)}
      where ctid = any(array(select ctid from ${sql.table(table)} where ${where} ${batch})) returning 1`,
    transaction,
  );
}

/**
 * Repeats a statement until no row is left: one over all rows of a busy account would exceed the time limit. All are in
 * the caller's transaction, so that a process that dies leaves the person and the hash chain whole.
 * @returns the number of rows
 */
async function inBatches(
  statementFor: (batch: RawBuilder<unknown>) => RawBuilder<unknown>,
  transaction: Db,
): Promise<number> {
  let total = 0;
  for (let count = BATCH; count === BATCH; total += count) {
    const { rows } = await statementFor(sql`limit ${sql.lit(BATCH)}`).execute(transaction);
    count = rows.length;
  }
  return total;
}

/**
 * Returns counters with the address, the number or the id as one part; those with a network's address expire within a
 * day.
 */
function limitKeysOf(
  secretBox: Pick<DeedContext['secretBox'], 'hmac'>,
  { ids, emails, phones }: Person,
): readonly string[] {
  const subjects = [...ids.map(String), ...emails, ...phones];
  return Object.values(RATE_LIMITS).flatMap((rule) =>
    subjects.map((subject) => rateLimitKey(secretBox, [rule, subject])),
  );
}
