import { limitsCommand as texts } from '#locales/operator/limits-command.ts';
import { fill } from '#locales/fill.ts';
import { nearest } from '#domain/nearest.ts';
import { RATE_LIMITS } from '#server/config/limits.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { type CommandContext, type CommandOf, type Output, output, table } from './command.ts';

/** `porchlight limits list | clear NAME`: lists the present counts, and resets a limit. */
export const limits: CommandOf<'limits'> = {
  list: () => (at) => at.withDatabase(list),
  clear:
    ([name = '']) =>
    (at) =>
      at.withDatabase((context) => clear(context, name)),
};

/** Limits with counts of their own: a threshold reads the count of another limit, and requests under way are not counted. */
const rulesOf = ({ config }: CommandContext) =>
  Object.values(RATE_LIMITS).flatMap(({ name, max, windowMs, counter }) => {
    const own = config.limits[name] ?? { max: max * config.limitFactor, windowMs };
    return counter === undefined && windowMs > 0
      ? [{ name, max: own.max, minutes: own.windowMs / 60_000 }]
      : [];
  });

/** Only how many: whose counts they are stands in keyed hashes. */
async function list(context: CommandContext): Promise<Output> {
  const rows = await context.db
    .selectFrom('limits')
    .select(['key', 'points'])
    .where('expires_at', '>', context.clock.now())
    .execute();
  const data = rulesOf(context).map((rule) => {
    const counts = rows.filter(({ key }) => key.startsWith(`${rule.name}:`));
    const full = counts.filter(({ points }) => points >= rule.max).length;
    return { ...rule, counted: counts.length, full };
  });
  const cells = data.map(({ name, max, minutes, counted, full }) => [
    name,
    max,
    minutes,
    counted,
    full,
  ]);
  return output(table(texts.header, cells), data);
}

async function clear(context: CommandContext, name: string): Promise<Output> {
  const names = rulesOf(context).map((rule) => rule.name);
  if (!names.includes(name)) {
    const near = nearest(name, names);
    const guess = near === null ? '' : `${fill(texts.guess, { name: near })} `;
    throw new OperatorError(fill(texts.unknown, { name, guess }));
  }
  return context.db.transaction().execute(async (transaction) => {
    const cleared = await transaction
      .deleteFrom('limits')
      .where('key', 'like', `${name}:%`)
      .returning('key')
      .execute();
    const details = { limit: name, count: cleared.length };
    await context.audit({ kind: 'limits.cleared', details }, transaction);
    return output([fill(texts.cleared, { name, count: cleared.length })], details);
  });
}
