import { commands as texts } from '#locales/en/commands.ts';
import { fill } from '#locales/fill.ts';
import type { Installation } from './command.ts';

const WIDTH = 30;
/** Rows between two lines. */
const STEP = 10_000;

type Stream = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean };

/** Says on the error stream how far long work is: a bar on a terminal, a line now and then elsewhere. */
export function createProgress(
  stream: Stream,
  isForPrograms: boolean,
): NonNullable<Installation['progress']> {
  let told = 0;
  return (rows, share) => {
    const percent = share === null ? '' : `${Math.round(share * 100)} %`;
    if (isForPrograms || !stream.isTTY) {
      if (Math.floor(rows / STEP) === Math.floor(told / STEP)) return;
      told = rows;
      const line = isForPrograms
        ? JSON.stringify({ rows, share })
        : fill(texts.progress, { rows, percent });
      stream.write(`${line.trimEnd()}\n`);
      return;
    }
    const full = Math.round((share ?? 0) * WIDTH);
    const bar = `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] `;
    const line = `${share === null ? '' : bar}${fill(texts.progress, { rows, percent })}`;
    stream.write(`\r${line}${share === 1 ? '\n' : ''}`);
  };
}
