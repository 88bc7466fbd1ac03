import { isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ErrorCode } from '#contract/errors.ts';
import { routeOf } from '#contract/routes.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import type { Audit } from '../audit/audit.ts';
import { type RequestContext, withinRequest } from '../audit/request-context.ts';
import { shortAddress } from '../audit/short-address.ts';
import type { Clock } from '../core/clock.ts';
import type { Db } from '../db/database.ts';
import { createPeriodic } from '../jobs/periodic.ts';
import { requestContext } from './request-id.ts';

/** Not recorded: requests that no page makes, faults of ours, and refusals with an event of their own. */
const NOT_AUDITED: ReadonlySet<string> = new Set<ErrorCode>([
  'BAD_REQUEST',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'TOO_LARGE',
  'UNSUPPORTED_TYPE',
  'UNEXPECTED',
  'UNAVAILABLE',
  'INVALID_OTP',
  'ACCOUNT_SUSPENDED',
]);
/** The caller is a program: its developer finds the mistake in the log, because there is no page. */
const AUDITED_AT_REDEEM: ReadonlySet<string> = new Set<ErrorCode>([
  'BAD_REQUEST',
  'TOO_LARGE',
  'UNSUPPORTED_TYPE',
]);
const TOO_MANY: ErrorCode = 'TOO_MANY';
const TOO_MANY_STATUS = 429;

/** Faults of ours in a minute that get an event each: a person reads out one reference. */
const MOST_FAULTS = 100;
/** The same for mistakes of applications, which any client can cause; and for those from one address. */
const MOST_MISTAKES = 100;
const MOST_MISTAKES_OF_ONE = 10;
/** Subjects in a minute that are counted separately; all further ones are counted together. */
const MOST_SUBJECTS = 1000;
const EVERYBODY = '*';

type Refusal = {
  readonly kind: 'request.refused' | 'request.failed' | 'request.mistaken';
  readonly context: RequestContext;
  readonly reason: string;
  /** The limit that refused. */
  readonly limit: string | null;
};
/** The minute after an event, in which repetitions are only counted. */
type Window = { from: number; more: number; readonly refusal: Refusal };

/**
 * Records every refusal with its reason (R50), and a flood of them in few events: at most one a minute for each reason,
 * limit, path and subject, with the number of refusals. The subject is the account where it is known, else the network
 * address. An unexpected error gets an event under its reference (OPS-62), and so does a mistake of an application
 * (OPS-75). `stop` writes the remaining counts, after the last answer.
 */
export function auditRefusals(
  app: FastifyInstance,
  deps: {
    readonly db: Db;
    readonly clock: Clock;
    readonly audit: Audit;
    readonly onLimit: (limit: string, ip: string) => Promise<void>;
    readonly onError: (error: unknown) => void;
  },
): { stop(): Promise<void> } {
  const { db, clock, audit, onLimit, onError } = deps;
  const windows = new Map<string, Window>();
  const faults = { from: 0, count: 0 };
  const mistakes = { from: 0, count: 0, of: new Map<string, number>() };
  const pending = new Set<Promise<void>>();
  const now = () => clock.now().getTime();

  app.addHook('onResponse', async (request, reply) => {
    const context = requestContext(request);
    if (context?.fault) return recordFailure(context, context.fault);
    if (context?.mistake) return recordMistake(context, context.mistake.reason);
    // The hosted login answers its own refusals.
    const reason = context?.refusal ?? (reply.statusCode === TOO_MANY_STATUS ? TOO_MANY : null);
    if (!context || reason === null || !isAudited(reason, context.path)) return;
    const limit = reason === TOO_MANY ? context.limit : null;
    note({ kind: 'request.refused', context, reason, limit });
    if (limit !== null) inBackground(onLimit(limit, context.ip));
  });

  const sweeping = createPeriodic(MINUTE_MS, async () => sweep(false), onError, {
    firstAfterMs: MINUTE_MS,
  });
  sweeping.start();
  return {
    async stop() {
      await sweeping.stop();
      sweep(true);
      await Promise.all(pending);
    },
  };

  /** Records an event for every reference, until so many fail that their cause is known anyway. */
  function recordFailure(context: RequestContext, reason: string): void {
    const refusal: Refusal = { kind: 'request.failed', context, reason, limit: null };
    if (now() - faults.from >= MINUTE_MS) Object.assign(faults, { from: now(), count: 0 });
    faults.count += 1;
    if (faults.count <= MOST_FAULTS) write(refusal, 1);
    else note(refusal);
  }

  /** Records an event for the reference of a mistake; many of one sender are counted as other refusals. */
  function recordMistake(context: RequestContext, reason: string): void {
    const refusal: Refusal = { kind: 'request.mistaken', context, reason, limit: null };
    if (now() - mistakes.from >= MINUTE_MS) {
      Object.assign(mistakes, { from: now(), count: 0 });
      mistakes.of.clear();
    }
    const subject = subjectOf(context);
    const own = mistakes.of.get(subject) ?? 0;
    if (mistakes.count >= MOST_MISTAKES || own >= MOST_MISTAKES_OF_ONE) return note(refusal);
    mistakes.count += 1;
    mistakes.of.set(subject, own + 1);
    write(refusal, 1);
  }

  function note(refusal: Refusal): void {
    const own = keyOf(refusal, subjectOf(refusal.context));
    const isRoom = windows.has(own) || windows.size < MOST_SUBJECTS;
    const key = isRoom ? own : keyOf(refusal, EVERYBODY);
    const window = windows.get(key);
    if (window && now() - window.from < MINUTE_MS) {
      window.more += 1;
      return;
    }
    write(refusal, (window?.more ?? 0) + 1);
    windows.set(key, { from: now(), more: 0, refusal });
  }

  /** Writes the counts of windows that are over, or of all when the server ends. */
  function sweep(isEnd: boolean): void {
    for (const [key, window] of windows) {
      if (!isEnd && now() - window.from < MINUTE_MS) continue;
      if (window.more === 0) windows.delete(key);
      else {
        write(window.refusal, window.more);
        Object.assign(window, { from: now(), more: 0 });
      }
    }
  }

  /** Writes without delaying the answer, which has been sent already. */
  function write({ kind, context, reason, limit }: Refusal, count: number): void {
    const work = withinRequest(context, async () => {
      const userId = context.userId ?? (await accountOf(context.visitId));
      const details = {
        path: context.path,
        count,
        ...(limit !== null && { limit }),
        ...(kind === 'request.mistaken' && { clientId: context.mistake?.clientId ?? null }),
      };
      await audit({ kind, userId, reason, details });
    });
    inBackground(work);
  }

  function inBackground(promise: Promise<void>): void {
    const work: Promise<void> = promise.catch(onError).finally(() => pending.delete(work));
    pending.add(work);
  }

  /** Returns the account that this browser last tried to sign in to. */
  async function accountOf(visitId: string | null): Promise<number | null> {
    if (visitId === null) return null;
    for (const table of ['sign_ins', 'registrations'] as const) {
      const newest = await db
        .selectFrom(table)
        .select('user_id')
        .where('visit_id', '=', visitId)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (newest?.user_id) return newest.user_id;
    }
    return null;
  }
}

const isAudited = (reason: string, path: string): boolean =>
  !NOT_AUDITED.has(reason) ||
  (path === routeOf('redeemHandoff').path && AUDITED_AT_REDEEM.has(reason));

const keyOf = ({ kind, reason, limit, context }: Refusal, subject: string) =>
  `${kind} ${reason} ${limit} ${context.path} ${subject}`;

/** One home has more IPv6 addresses than the table has rows, so they count by network. */
function subjectOf({ userId, ip }: RequestContext): string {
  if (userId !== null) return String(userId);
  return isIPv6(ip) ? (shortAddress(ip) ?? ip) : ip;
}
