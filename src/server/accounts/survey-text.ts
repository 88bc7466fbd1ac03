/** The text beside 'Other' in the survey: encrypted in the database (decision 120). */

import { server as texts } from '#locales/operator/server.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { SecretBox } from '../crypto/secret-box.ts';

/** Returns the encrypted columns of a text. */
export const sealSurveyText = (secretBox: SecretBox, text: string) => ({
  sub_response: '',
  sealed_text: text === '' ? null : secretBox.encrypt('survey-answer', text),
});

/**
 * Returns the text of a row.
 * @throws OperatorError when no configured secret decrypts it
 */
export function openSurveyText(
  secretBox: SecretBox,
  { sealed_text: sealed }: { readonly sealed_text: string | null },
): string {
  if (sealed === null) return '';
  try {
    return secretBox.decrypt('survey-answer', sealed);
  } catch (cause) {
    throw new OperatorError(texts.secretChanged, { cause });
  }
}
