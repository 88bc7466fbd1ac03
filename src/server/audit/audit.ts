import { sql } from 'kysely';
import type { EventKind } from '#locales/operator/events.ts';
import type { Clock } from '../core/clock.ts';
import type { Db } from '../db/database.ts';
import { currentRequest } from './request-context.ts';

export type AuditEvent = {
  readonly kind: EventKind;
  /** The account that the event concerns. */
  readonly userId?: number | null;
  readonly visitId?: string | null;
  readonly ip?: string | null;
  /** The actor, if neither the visitor of the request nor this process itself. */
  readonly actor?: string;
  /** The reason of a refusal or failure; left out if the kind implies it. */
  readonly reason?: string;
  /** Further ids and counts, never personal data. Without an account, `subtenantId` names the event's. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The deleted account: for receivers of events, never stored in the log. */
  readonly erased?: { readonly userId: number; readonly subtenantId: number };
};

/** The part of an event for metrics: no person, no browser, no address. */
type NotedEvent = Required<Pick<AuditEvent, 'kind' | 'details'>> & {
  readonly subtenantId: number | null;
};

/** Writes an event for the operator; never a secret, a code or a password. */
export type Audit = (event: AuditEvent, db?: Db) => Promise<void>;

/** Kinds of refusals and failures, with the default reason. */
const FAILURES: Readonly<Record<string, string>> = {
  'signIn.wrongPassword': 'wrongPassword',
  'signIn.suspended': 'suspended',
  'signIn.refused': 'refused',
  'otp.wrong': 'wrongCode',
  'key.refused': 'refused',
  'organisation.refused': 'refused',
  'activation.invalidLink': 'invalidLink',
  'activation.rejected': 'rejectedByOwner',
  'reset.invalidLink': 'invalidLink',
  'reset.heldBack': 'tooMany',
  'limit.refused': 'tooMany',
  'text.refused': 'refused',
  'helper.refused': 'tooMany',
  'call.refused': 'refused',
  'handoff.moduleMissing': 'moduleMissing',
  'handoff.replayed': 'replayed',
  'hosted.refused': 'refused',
  'hosted.unproven': 'unproven',
  'message.failed': 'failed',
  'outbox.dead': 'givenUp',
  'promo.usedUp': 'usedUp',
  'enumeration.suspected': 'manyAddresses',
  'console.manyLooks': 'manyPeople',
  'request.refused': 'refused',
  'request.failed': 'unexpected',
  'request.mistaken': 'mistaken',
};

/** Returns an event's row, without what only its request knows. */
export function toAuditRow(event: AuditEvent, at: Date, actor: string) {
  const { kind, details = {} } = event;
  const failure = FAILURES[kind];
  const given = event.reason ?? details.reason ?? details.error;
  return {
    at,
    kind,
    user_id: event.userId ?? null,
    visit_id: event.visitId ?? null,
    ip: event.ip ?? null,
    subtenant_id: subtenantOf(details),
    actor: event.actor ?? actor,
    outcome: failure === undefined ? ('success' as const) : ('failure' as const),
    reason: typeof given === 'string' ? given : (failure ?? null),
    details,
  };
}

/** Creates the writer of the audit log; pass the transaction to make the entry part of it. */
export function createAudit(deps: {
  readonly db: Db;
  readonly clock: Clock;
  /** The actor without a request. */
  readonly actor?: 'server' | `operator:${string}`;
  readonly onEvent?: (event: NotedEvent) => void;
  /** Queues the event's webhook, in the same transaction. */
  readonly tell?: (event: AuditEvent, db: Db) => Promise<void>;
}): Audit {
  /**
   * An event belongs to the subtenant of its account: any link sets that of a visit, which stands for it only where no
   * account is known (CON-51).
   */
  const subtenantOfAccount = (userId: number | null, hinted: number | null) =>
    sql<number | null>`coalesce(
      (select subtenant_id from users where id = ${userId}::bigint), ${hinted}::integer)`;

  function rowOf(event: AuditEvent) {
    const request = currentRequest();
    const row = toAuditRow(event, deps.clock.now(), request ? 'visitor' : (deps.actor ?? 'server'));
    return {
      ...row,
      visit_id: row.visit_id ?? request?.visitId ?? null,
      ip: row.ip ?? request?.ip ?? null,
      request_id: request?.requestId ?? null,
      subtenant_id: row.subtenant_id ?? request?.subtenantId ?? null,
    };
  }

  return async (event, db = deps.db) => {
    const { details, ...row } = rowOf(event);
    const { subtenant_id: subtenantId } = await db
      .insertInto('audit_events')
      .values({
        ...row,
        subtenant_id: subtenantOfAccount(row.user_id, row.subtenant_id),
        details: JSON.stringify(details),
      })
      .returning('subtenant_id')
      .executeTakeFirstOrThrow();
    await deps.tell?.(event, db);
    deps.onEvent?.({ kind: row.kind, subtenantId, details });
  };
}

function subtenantOf({ subtenantId }: Readonly<Record<string, unknown>>): number | null {
  return typeof subtenantId === 'number' ? subtenantId : null;
}
