/** The text beside 'Other' in the survey: encrypted in the database (decision 120). */

import { sql } from 'kysely';
import { server as texts } from '#locales/operator/server.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { ServerContext } from '../context.ts';
import type { SecretBox } from '../crypto/secret-box.ts';

type StoredText = { readonly sub_response: string; readonly sealed_text: string | null };

/** Rows a statement. */
const BATCH = 500;

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
 * Encrypts texts of the previous release, in batches; any number of instances may run it at once.
 * @returns how many
 */
export async function sealPlainAnswers(
  { db, secretBox }: Pick<ServerContext, 'db' | 'secretBox'>,
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  for (let found = BATCH; found === BATCH && !signal?.aborted;) {
    found = await db.transaction().execute(async (transaction) => {
      const rows = await transaction
        .selectFrom('survey_answers')
        .select(['id', 'sub_response'])
        .where('sub_response', '<>', '')
        .orderBy('id')
        .limit(BATCH)
        .forUpdate()
        .skipLocked()
        .execute();
      if (rows.length === 0) return 0;
      const sealed = rows.map((row) => ({
        id: row.id,
        text: secretBox.encrypt('survey-answer', row.sub_response),
      }));
      await sql`update survey_answers set sub_response = '', sealed_text = sealed.text
        from json_to_recordset(${JSON.stringify(sealed)}::json) as sealed (id uuid, text text)
        where survey_answers.id = sealed.id`.execute(transaction);
      return rows.length;
    });
    count += found;
  }
  return count;
}
