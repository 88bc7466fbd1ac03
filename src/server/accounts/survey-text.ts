/** The text beside 'Other' in the survey: encrypted in the database (decision 120). */

import { server as texts } from '#locales/operator/server.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/text/duration.ts';
import { forEachRow } from '../db/each-row.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { ServerContext } from '../core/context.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Task } from '../core/task.ts';

type StoredText = { readonly sub_response: string; readonly sealed_text: string | null };

/** Returns the encrypted columns of a text. */
export function sealSurveyText(secretBox: SecretBox, text: string): StoredText {
  return {
    sub_response: '',
    sealed_text: text === '' ? null : secretBox.encrypt('survey-answer', text),
  };
}

/**
 * Returns the text of a row.
 * @throws OperatorError when no configured secret decrypts it
 */
export function openSurveyText(secretBox: SecretBox, row: StoredText): string {
  // Written by the previous release, perhaps over an encrypted one.
  if (row.sub_response !== '') return row.sub_response;
  if (row.sealed_text === null) return '';
  try {
    return secretBox.decrypt('survey-answer', row.sealed_text);
  } catch (cause) {
    throw new OperatorError(texts.secretChanged, { cause });
  }
}

/**
 * Encrypts texts of the previous release; any number of instances may run it at once.
 * @returns how many
 * @throws RowsFailed
 */
export async function sealPlainAnswers(
  { db, secretBox }: Pick<ServerContext, 'db' | 'secretBox'>,
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  const plain = await db
    .selectFrom('survey_answers')
    .select('id')
    .where('sub_response', '<>', '')
    .execute();
  await forEachRow(plain, seal, signal);
  return count;

  async function seal({ id }: (typeof plain)[number]): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('survey_answers')
        .select('sub_response')
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (!row?.sub_response) return;
      await transaction
        .updateTable('survey_answers')
        .set(sealSurveyText(secretBox, row.sub_response))
        .where('id', '=', id)
        .execute();
      count += 1;
    });
  }
}

/** Encrypts the texts of the previous release. */
export const surveySealing = (context: Pick<ServerContext, 'db' | 'secretBox'>): Task => ({
  everyMs: HOUR_MS,
  firstAfterMs: MINUTE_MS,
  run: (signal) => sealPlainAnswers(context, signal),
  failed: 'survey answers will be sealed later',
});
