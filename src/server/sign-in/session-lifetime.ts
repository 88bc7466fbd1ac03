import type { Selectable } from 'kysely';
import { type RoleId, roleOf } from '#domain/roles.ts';
import { later } from '../clock.ts';
import type { Timers } from '../config/timers.ts';
import type { Tables } from '../db/schema.ts';

const MINUTE_MS = 60_000;
/** A right password is worth nothing after this without its OTP. */
const PENDING_LIFE_MS = 30 * MINUTE_MS;
const AUTHORIZATION_LIFE_MS = 10 * MINUTE_MS;
const TOKEN_LIFE_MS = 15 * MINUTE_MS;
/** Sliding costs a write: once a minute is close enough. */
const SLIDE_EVERY_MS = MINUTE_MS;

type Times = Pick<
  Selectable<Tables['sign_ins']>,
  'stage' | 'created_at' | 'seen_at' | 'completed_at'
>;

/** What the operator has set. */
type SessionTimers = Pick<Timers, 'sessionIdleMs' | 'staffIdleMs' | 'sessionMs'>;
/** What is asked about a sign-in; a pending one has no roles yet. */
type Asked = {
  readonly now: Date;
  readonly timers: SessionTimers;
  readonly roleIds?: readonly RoleId[] | undefined;
};

/** Whether a sign-in still counts: pending for half an hour, complete until idle or too old (security R22). */
export function isAlive(attempt: Times, asked: Asked): boolean {
  if (isIdle(attempt, asked)) return false;
  const { completed_at: completedAt } = attempt;
  if (completedAt === null) return true;
  return asked.now.getTime() - completedAt.getTime() < asked.timers.sessionMs;
}

/** Whether nobody was there for too long: a pending sign-in from its start, a complete one from its last call. */
export function isIdle(attempt: Times, { now, timers, roleIds = [] }: Asked): boolean {
  const since = (moment: Date) => now.getTime() - moment.getTime();
  if (attempt.stage !== 'complete') return since(attempt.created_at) >= PENDING_LIFE_MS;
  const isStaff = roleIds.some((id) => roleOf(id).isStaff);
  return since(attempt.seen_at) >= (isStaff ? timers.staffIdleMs : timers.sessionIdleMs);
}

/** When a bearer ends that is given out or used now. */
export const tokenExpiry = (now: Date): Date => later(now, TOKEN_LIFE_MS);

/** Whether the use of a bearer is worth noting, which makes it live longer. */
export const isSlideDue = (seenAt: Date, now: Date): boolean => later(seenAt, SLIDE_EVERY_MS) < now;

/** When an authorization request that is made now ends. */
export const authorizationExpiry = (now: Date): Date => later(now, AUTHORIZATION_LIFE_MS);
