import { limitsCommand as texts } from '#locales/operator/limits-command.ts';
import { fill } from '#locales/fill.ts';
import { clearLimit, countLimits } from '#server/abuse/limit-operations.ts';
import { type CommandContext, type CommandOf, type Output, output, table } from './command.ts';
import { onDatabase } from './on-database.ts';

/** `porchlight limits list | clear NAME`: lists the present counts, and resets a limit. */
export const limits: CommandOf<'limits'> = {
  list: () => onDatabase(list),
  clear: ([name = '']) =>
    onDatabase(async (context) => {
      const count = await clearLimit(context, name);
      return output([fill(texts.cleared, { name, count })], { limit: name, count });
    }),
};

async function list(context: CommandContext): Promise<Output> {
  const data = await countLimits(context);
  const cells = data.map(({ name, max, minutes, counted, full, refused }) => [
    name,
    max,
    minutes,
    counted,
    full,
    refused,
  ]);
  return output(table(texts.header, cells), data);
}
