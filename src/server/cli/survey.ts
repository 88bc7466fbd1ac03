import { writeFileSync } from 'node:fs';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/en/server.ts';
import { readSurvey, toSpreadsheet } from '../catalog/survey-export.ts';
import { type Command, output, readWords, wrongUsage } from './command.ts';

/** `porchlight survey export [--out FILE]`: the answers as CSV. */
export const survey: Command = (words) => {
  const out = parse(words);
  return (at) =>
    at.withDatabase(async (context) => {
      const answers = await readSurvey(context);
      const csv = toSpreadsheet(answers);
      if (out === undefined) return { text: csv, data: answers };
      // Names and addresses: for the operator's eyes.
      writeFileSync(out, csv, { mode: 0o600 });
      const data = { file: out, count: answers.length };
      return output([fill(texts.surveyWritten, data)], data);
    });
};

function parse(words: readonly string[]): string | undefined {
  const { values, positionals } = readWords(words, { out: { type: 'string' } }, 'survey');
  if (positionals.join(' ') === 'export') return values.out;
  throw wrongUsage('survey');
}
