import { writeFileSync } from 'node:fs';
import { backupCommand as backupTexts } from '#locales/operator/backup-command.ts';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import { readSurvey, toSpreadsheet } from '#server/catalog/survey-export.ts';
import { fileFault } from '#server/config/fault-words.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { type CommandOf, onDatabase, output } from './command.ts';

/** `porchlight survey export`: the answers as CSV. */
export const survey: CommandOf<'survey'> = {
  export: (_, { out }) =>
    onDatabase(async (context) => {
      const answers = await readSurvey(context);
      const csv = toSpreadsheet(answers);
      if (out === undefined) return { text: csv, data: answers };
      writeNew(out, csv);
      const data = { file: out, count: answers.length };
      return output([fill(texts.surveyWritten, data)], data);
    }),
};

/**
 * Writes names and addresses, for the operator's eyes alone: into a new file, because one that is there keeps its readers.
 * @throws OperatorError
 */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      code === 'EEXIST' ? fill(backupTexts.exists, { file }) : `${file}: ${fileFault(error)}`,
    );
  }
}
