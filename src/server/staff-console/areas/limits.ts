import { fill } from '#locales/fill.ts';
import { limitsDesk as texts } from '#locales/operator/console-areas.ts';
import { clearLimit, countLimits } from '../../abuse/limit-operations.ts';
import type { ServerContext } from '../../context.ts';
import { type DeskArea, pageOf } from '../desk-area.ts';

/** Creates the operators' pages of limits, over the functions of `porchlight limits`. */
export function limitsArea(context: ServerContext): DeskArea {
  return {
    area: 'limits',
    done: texts.done,
    list: {
      title: texts.title,
      lead: texts.lead,
      empty: texts.empty,
      columns: texts.columns,
      fields: [{ name: 'text', label: texts.name, kind: 'search' }],
      async read(asked) {
        const limits = await countLimits(context);
        const rows = limits.map(({ name, max, minutes, counted, full, refused }) => ({
          id: name,
          cells: [
            name,
            String(max),
            String(minutes),
            String(counted),
            full > 0 ? ({ text: String(full), tone: 'wait' } as const) : '0',
            refused > 0 ? ({ text: String(refused), tone: 'bad' } as const) : '0',
          ],
          actions:
            counted > 0 ? [{ label: texts.clear, href: `/console/limits/${name}/clear` }] : [],
        }));
        return pageOf(rows, asked);
      },
    },
    async form([name = '', verb, ...more]) {
      const isLimit = (await countLimits(context)).some((limit) => limit.name === name);
      if (!isLimit || verb !== 'clear' || more.length > 0) return null;
      return {
        title: fill(texts.clearTitle, { name }),
        changes: [texts.clearChanges],
        submit: texts.clear,
        fields: [],
        async run({ admin }) {
          await clearLimit(admin, name);
          return 'done';
        },
      };
    },
  };
}
