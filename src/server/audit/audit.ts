import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { currentRequest } from './request-context.ts';

export type AuditEvent = {
  readonly kind: string;
  /** The account that it happened to. */
  readonly userId?: number | null;
  readonly visitId?: string | null;
  readonly ip?: string | null;
  /** Who did it, where that is neither the visitor of the request nor this process itself. */
  readonly actor?: string;
  /** Why it was refused or failed; left out, the kind says it. */
  readonly reason?: string;
  /** What it was about besides: ids and counts, never what names a person. `subtenantId` counts before the visit's. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The account that is no more: for receivers of events, and in no row of the log. */
  readonly erased?: { readonly userId: number; readonly subtenantId: number };
};

/** What figures are made of: no person, no browser, no address. */
type NotedEvent = Required<Pick<AuditEvent, 'kind' | 'details'>> & {
  readonly subtenantId: number | null;
};

/** What happened to whom, for the operator; never a secret, a code or a password. */
export type Audit = (event: AuditEvent, db?: Db) => Promise<void>;

/** Kinds that tell of something refused or failed, with the reason where the event names none. */
const FAILURES: Readonly<Record<string, string>> = {
  'signIn.wrongPassword': 'wrongPassword',
  'signIn.suspended': 'suspended',
  'signIn.refused': 'refused',
  'otp.wrong': 'wrongCode',
  'activation.invalidLink': 'invalidLink',
  'activation.rejected': 'rejectedByOwner',
  'reset.invalidLink': 'invalidLink',
  'reset.heldBack': 'tooMany',
  'limit.refused': 'tooMany',
  'text.refused': 'refused',
  'handoff.moduleMissing': 'moduleMissing',
  'handoff.replayed': 'replayed',
  'hosted.refused': 'refused',
  'hosted.unproven': 'unproven',
  'message.failed': 'failed',
  'outbox.dead': 'givenUp',
  'promo.usedUp': 'usedUp',
  'enumeration.suspected': 'manyAddresses',
  'request.refused': 'refused',
  'request.failed': 'unexpected',
  'request.mistaken': 'mistaken',
};

/** Appends to the audit log; pass the transaction to make the entry part of it. */
export function createAudit(deps: {
  readonly db: Db;
  readonly clock: Clock;
  /** Who acts where no request is under way. */
  readonly actor?: 'server' | `operator:${string}`;
  readonly onEvent?: (event: NotedEvent) => void;
  /** Queues what others are told of the event, in the same transaction. */
  readonly tell?: (event: AuditEvent, db: Db) => Promise<void>;
}): Audit {
  function rowOf(event: AuditEvent) {
    const request = currentRequest();
    const { kind, details = {} } = event;
    const failure = FAILURES[kind];
    const given = event.reason ?? details.reason ?? details.error;
    return {
      at: deps.clock.now(),
      kind,
      user_id: event.userId ?? null,
      visit_id: event.visitId ?? request?.visitId ?? null,
      ip: event.ip ?? request?.ip ?? null,
      request_id: request?.requestId ?? null,
      subtenant_id: subtenantOf(details) ?? request?.subtenantId ?? null,
      actor: event.actor ?? (request ? 'visitor' : (deps.actor ?? 'server')),
      outcome: failure === undefined ? ('success' as const) : ('failure' as const),
      reason: typeof given === 'string' ? given : (failure ?? null),
      details,
    };
  }

  return async (event, db = deps.db) => {
    const { details, ...row } = rowOf(event);
    await db
      .insertInto('audit_events')
      .values({ ...row, details: JSON.stringify(details) })
      .execute();
    await deps.tell?.(event, db);
    deps.onEvent?.({ kind: row.kind, subtenantId: row.subtenant_id, details });
  };
}

function subtenantOf({ subtenantId }: Readonly<Record<string, unknown>>): number | null {
  return typeof subtenantId === 'number' ? subtenantId : null;
}
