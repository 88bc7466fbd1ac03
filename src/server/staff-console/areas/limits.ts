import { fill } from '#locales/fill.ts';
import { limitsDesk as texts } from '#locales/operator/console-areas.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { clearLimit, countLimits } from '../../abuse/limit-operations.ts';
import type { FullContext } from '../../access/context.ts';
import { type DeskArea, formsOf, pageOf } from '../desk-area.ts';

const inWords = (count: number) => count.toLocaleString('en-US');

/** Returns a setting's name in words: 'signUpPerIp' is "Sign up per network". */
function limitName(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.replace(/^./, (first) => first.toUpperCase()).replace(/ ip\b/, ' network');
}

/** Returns "1 day", "3 hours" or "15 minutes". */
function minutesText(minutes: number): string {
  const [size, unit] = (
    [
      [1440, 'day'],
      [60, 'hour'],
      [1, 'minute'],
    ] as const
  ).find(([each]) => minutes % each === 0) ?? [1, 'minute'];
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return (minutes / size).toLocaleString('en-US', style);
}

/** Creates the operators' pages of limits, over the functions of `porchlight limits`. */
export function limitsArea(context: FullContext): DeskArea {
  return {
    area: 'limits',
    texts: texts.list,
    list: {
      isPersonal: false,
      fields: [{ name: 'text', label: texts.name, kind: 'search' }],
      async read(asked) {
        const limits = await countLimits(context);
        const isHeld = ({ full, refused }: (typeof limits)[number]) => full > 0 || refused > 0;
        const held = limits.filter(isHeld);
        const sorted = [...held, ...limits.filter((limit) => !isHeld(limit))];
        const rows = sorted.map(({ name, max, minutes, counted, full, refused }) => ({
          id: name,
          cells: [
            limitName(name),
            full > 0 ? ({ text: inWords(full), tone: 'wait' } as const) : '0',
            refused > 0 ? ({ text: inWords(refused), tone: 'bad' } as const) : '0',
            inWords(counted),
            inWords(max),
            minutesText(minutes),
          ],
          actions:
            counted > 0 ? [{ label: texts.clear, href: consolePath('limits', name, 'clear') }] : [],
        }));
        return { ...pageOf(rows, asked), ...(held.length === 0 && { lead: texts.nobody }) };
      },
    },
    form: formsOf(
      {},
      async (word) => (await countLimits(context)).find(({ name }) => name === word),
      {
        clear: ({ name }) => ({
          title: fill(texts.clearTitle, { name: limitName(name) }),
          changes: [texts.clearChanges],
          submit: texts.clear,
          run: ({ admin }) => clearLimit(admin, name),
        }),
      },
    ),
  };
}
