import { limitsCommand as texts } from '#locales/operator/limits-command.ts';
import { fill } from '#locales/fill.ts';
import { clearLimit, countLimits } from '#server/abuse/limit-operations.ts';
import { type CommandOf, tableLines, onDatabase, output } from './command.ts';

/** `porchlight limits list | clear NAME`: lists the present counts, and resets a limit. */
export const limits: CommandOf<'limits'> = {
  list: () =>
    onDatabase(async (context) =>
      tableLines(await countLimits(context), texts.header, Object.values),
    ),
  clear: ([name = '']) =>
    onDatabase(async (context) => {
      const count = await clearLimit(context, name);
      return output([fill(texts.cleared, { name, count })], { limit: name, count });
    }),
};
