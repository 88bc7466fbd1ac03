import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/en/server.ts';
import { exportSurvey } from '../catalog/survey-export.ts';
import { OperatorError } from '../config/operator-error.ts';
import { type Command, output } from './command.ts';

/** `npm run survey -- export [--out file]`: the answers as CSV. */
export const survey: Command = (words) => {
  const out = parse(words);
  return (at) =>
    at.withDatabase(async ({ db }) => {
      const csv = await exportSurvey(db);
      if (out === undefined) return { text: csv };
      // Names and addresses: for the operator's eyes.
      writeFileSync(out, csv, { mode: 0o600 });
      return output([
        fill(texts.surveyWritten, { file: out, count: csv.split('\r\n').length - 2 }),
      ]);
    });
};

function parse(words: readonly string[]): string | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { out: { type: 'string' } },
    });
    if (positionals.join(' ') === 'export') return values.out;
  } catch {
    // An unknown option: the usage says what there is.
  }
  throw new OperatorError(texts.surveyUsage);
}
