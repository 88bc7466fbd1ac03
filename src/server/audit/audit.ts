import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';

export type AuditEvent = {
  readonly kind: string;
  readonly userId?: number | null;
  readonly visitId?: string | null;
  readonly ip?: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
};

/** What happened to whom, for the operator; never a secret, a code or a password. */
export type Audit = (event: AuditEvent, db?: Db) => Promise<void>;

/** Appends to the audit log; pass the transaction to make the entry part of it. */
export function createAudit(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly onEvent?: (kind: string) => void;
}): Audit {
  return async (event, db = deps.db) => {
    await db
      .insertInto('audit_events')
      .values({
        at: deps.clock.now(),
        kind: event.kind,
        user_id: event.userId ?? null,
        visit_id: event.visitId ?? null,
        ip: event.ip ?? null,
        details: JSON.stringify(event.details ?? {}),
      })
      .execute();
    deps.onEvent?.(event.kind);
  };
}
