/** `porchlight audit`: whether the audit log is as it was written, and its newest events. */

import { auditCommand as texts } from '#locales/operator/audit-command.ts';
import { fill } from '#locales/fill.ts';
import { auditReport } from '#server/audit/audit-report.ts';
import type { Db } from '#server/db/database.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { type CommandOf, onDatabase, type Output, output } from './command.ts';

const TAIL_LENGTH = 20;
const LONGEST_TAIL = 1000;
const HEAD = /^\d{1,15}\.[\w-]{43}$/;

export const audit: CommandOf<'audit'> = {
  verify(_, { head }) {
    if (head !== undefined && !HEAD.test(head)) throw new OperatorError(texts.badHead);
    return onDatabase(async (context) => {
      const { lines, result } = await auditReport(context, head);
      return output(lines, result, result.faultCount > 0);
    });
  },

  tail(_, words) {
    const count = Number(words.count ?? TAIL_LENGTH);
    const isCount = Number.isInteger(count) && count > 0 && count <= LONGEST_TAIL;
    if (!isCount) throw new OperatorError(fill(texts.badCount, { most: LONGEST_TAIL }));
    return onDatabase(({ db }) => tail(db, count));
  },
};

/** The newest events, oldest first, one JSON object a line. */
async function tail(db: Db, count: number): Promise<Output> {
  const rows = await db
    .selectFrom('audit_events')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(count)
    .execute();
  const events = rows.toReversed().map((row) => ({
    id: row.id,
    at: row.at,
    kind: row.kind,
    outcome: row.outcome,
    reason: row.reason,
    actor: row.actor,
    userId: row.user_id,
    visitId: row.visit_id,
    subtenantId: row.subtenant_id,
    requestId: row.request_id,
    ip: row.ip ?? row.network,
    details: row.details,
    batch: row.seal,
  }));
  return output(
    events.map((event) => JSON.stringify(event)),
    events,
  );
}
