/** 'How did you hear about us?': question 213 (SUP-08). */
export const SURVEY_SUBJECT_ID = 213;
export const OTHER_RESPONSE_ID = 418;
/** The text of 'Other' is an answer of its own. */
export const OTHER_TEXT_SUBJECT_ID = 217;
export const OTHER_TEXT_RESPONSE_ID = 419;
export const OTHER_TEXT_MAX_LENGTH = 500;

export type SurveyOption = {
  readonly subjectId: number;
  readonly response: string;
  readonly responseId: number;
};

export type SurveyAnswer = {
  readonly subjectId: number;
  readonly responseId: number;
  readonly text: string;
};

/** Returns the answers to save: one for each chosen option, and the text of 'Other' as an extra answer (SUP-17). */
export function surveyAnswers(
  chosenResponseIds: readonly number[],
  otherText: string,
): readonly SurveyAnswer[] {
  const chosen = [...new Set(chosenResponseIds)].map((responseId) => ({
    subjectId: SURVEY_SUBJECT_ID,
    responseId,
    text: '',
  }));
  const text = otherText.trim();
  const isOtherTold = chosenResponseIds.includes(OTHER_RESPONSE_ID) && text !== '';
  if (!isOtherTold) return chosen;
  return [
    ...chosen,
    { subjectId: OTHER_TEXT_SUBJECT_ID, responseId: OTHER_TEXT_RESPONSE_ID, text },
  ];
}
