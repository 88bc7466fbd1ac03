import type { Selectable } from 'kysely';
import { type RoleId, roleOf } from '#domain/people/roles.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { later } from '../core/clock.ts';
import type { Timers } from '../config/timers.ts';
import type { Tables } from '../db/schema.ts';

/** Milliseconds after which a right password without its OTP expires. */
export const PENDING_LIFE_MS = 30 * MINUTE_MS;
const AUTHORIZATION_LIFE_MS = 10 * MINUTE_MS;
const TOKEN_LIFE_MS = 15 * MINUTE_MS;
/** Milliseconds. Extending costs a write; once a minute is precise enough. */
const SLIDE_EVERY_MS = MINUTE_MS;

type Times = Pick<
  Selectable<Tables['sign_ins']>,
  'stage' | 'created_at' | 'seen_at' | 'completed_at'
>;

/** The operator's settings. */
type SessionTimers = Pick<Timers, 'sessionIdleMs' | 'staffIdleMs' | 'sessionMs'>;
/** The inputs of the rules; a pending sign-in has no roles yet. */
type Asked = {
  readonly now: Date;
  readonly timers: SessionTimers;
  readonly roleIds?: readonly RoleId[] | undefined;
};

/** Returns whether a sign-in is valid: pending for half an hour, complete until idle or too old (security R22). */
export function isAlive(attempt: Times, asked: Asked): boolean {
  if (isIdle(attempt, asked)) return false;
  const { completed_at: completedAt } = attempt;
  if (completedAt === null) return true;
  return asked.now.getTime() - completedAt.getTime() < asked.timers.sessionMs;
}

/** Returns whether a sign-in has idled too long: a pending one from its start, a complete one from its last call. */
export function isIdle(attempt: Times, { now, timers, roleIds = [] }: Asked): boolean {
  const since = (moment: Date) => now.getTime() - moment.getTime();
  if (attempt.stage !== 'complete') return since(attempt.created_at) >= PENDING_LIFE_MS;
  const isStaff = roleIds.some((id) => roleOf(id).isStaff);
  return since(attempt.seen_at) >= (isStaff ? timers.staffIdleMs : timers.sessionIdleMs);
}

/** Returns the expiry of a bearer that is issued or used now. */
export const tokenExpiry = (now: Date): Date => later(now, TOKEN_LIFE_MS);

/** Returns whether a bearer's use has to be stored, which extends its life. */
export const isSlideDue = (seenAt: Date, now: Date): boolean => later(seenAt, SLIDE_EVERY_MS) < now;

/** Returns the expiry of an authorization request that is made now. */
export const authorizationExpiry = (now: Date): Date => later(now, AUTHORIZATION_LIFE_MS);
