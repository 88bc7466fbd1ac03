import { commands as texts } from '#locales/operator/commands.ts';
import { fill } from '#locales/fill.ts';
import type { Installation } from './command.ts';

const WIDTH = 30;
/** How many of them are between two lines. */
const STEPS = { rows: 10_000, tables: 10 } as const;

type Stream = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean };

/** Says on the error stream how far long work is: a bar on a terminal, a line now and then elsewhere. */
export function createProgress(
  stream: Stream,
  isForPrograms: boolean,
): NonNullable<Installation['progress']> {
  let told = 0;
  return (count, share, unit = 'rows') => {
    const percent = share === null ? '' : `${Math.round(share * 100)} %`;
    if (isForPrograms || !stream.isTTY) {
      if (Math.floor(count / STEPS[unit]) === Math.floor(told / STEPS[unit])) return;
      told = count;
      const line = isForPrograms
        ? JSON.stringify({ [unit]: count, share })
        : fill(texts.progress, { count, unit, percent });
      stream.write(`${line.trimEnd()}\n`);
      return;
    }
    const full = Math.round((share ?? 0) * WIDTH);
    const bar = `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] `;
    const line = `${share === null ? '' : bar}${fill(texts.progress, { count, unit, percent })}`;
    stream.write(`\r${line}${share === 1 ? '\n' : ''}`);
  };
}
