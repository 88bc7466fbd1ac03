import { nearest } from '#domain/text/nearest.ts';
import { fill } from '#locales/fill.ts';
import { limitsCommand as texts } from '#locales/operator/limits-command.ts';
import { DAY_MS, MINUTE_MS } from '#domain/text/duration.ts';
import { later } from '../core/clock.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { AdminContext } from '../core/context.ts';

/** Limits with counts of their own: a threshold reads the count of another limit, and requests under way are not counted. */
const rulesOf = ({ config }: Pick<AdminContext, 'config'>) =>
  Object.values(RATE_LIMITS).flatMap(({ name, max, windowMs, counter }) => {
    const own = config.limits[name] ?? { max: max * config.limitFactor, windowMs };
    return counter === undefined && windowMs > 0
      ? [{ name, max: own.max, minutes: own.windowMs / MINUTE_MS }]
      : [];
  });

/** Returns every limit with its present setting and counts. Whose counts they are stands in keyed hashes. */
export async function countLimits(context: Pick<AdminContext, 'db' | 'clock' | 'config'>) {
  const { db, clock, config } = context;
  const now = clock.now();
  const rows = await db
    .selectFrom('limits')
    .select(['key', 'points'])
    .where('expires_at', '>', now)
    .execute();
  const refusals = await db
    .selectFrom('audit_events')
    .select('details')
    .where('at', '>', later(now, -DAY_MS))
    .where('kind', '=', 'limit.refused')
    .execute();
  return rulesOf({ config }).map((rule) => {
    const counts = rows.filter(({ key }) => key.startsWith(`${rule.name}:`));
    const full = counts.filter(({ points }) => points >= rule.max).length;
    // Hours and networks of the last day in which it refused.
    const refused = refusals.filter(({ details }) => details.limit === rule.name).length;
    return { ...rule, counted: counts.length, full, refused };
  });
}

/** Lets a limit begin anew for everybody. @returns the number of forgotten counts @throws OperatorError */
export async function clearLimit(
  { db, config, audit }: Pick<AdminContext, 'db' | 'config' | 'audit'>,
  name: string,
): Promise<number> {
  const names = rulesOf({ config }).map((rule) => rule.name);
  if (!names.includes(name)) {
    const near = nearest(name, names);
    const guess = near === null ? '' : `${fill(texts.guess, { name: near })} `;
    throw new OperatorError(fill(texts.unknown, { name, guess }));
  }
  return db.transaction().execute(async (transaction) => {
    const cleared = await transaction
      .deleteFrom('limits')
      .where('key', 'like', `${name}:%`)
      .returning('key')
      .execute();
    const details = { limit: name, count: cleared.length };
    await audit({ kind: 'limits.cleared', details }, transaction);
    return cleared.length;
  });
}
