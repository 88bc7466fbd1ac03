import { randomUUID } from 'node:crypto';
import {
  OTHER_RESPONSE_ID,
  OTHER_TEXT_RESPONSE_ID,
  OTHER_TEXT_SUBJECT_ID,
  SURVEY_SUBJECT_ID,
  type SurveyAnswer,
  type SurveyOption,
} from '#domain/people/survey.ts';
import { textsIn } from '#locales/catalogue.ts';
import { type Language, ORIGINAL } from '#locales/languages.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { later } from '../core/clock.ts';
import { openSurveyText, sealSurveyText } from '../accounts/survey-text.ts';
import { AppError } from '../http/app-error.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../core/context.ts';

const option = (responseId: number, response: string): SurveyOption => ({
  subjectId: SURVEY_SUBJECT_ID,
  response,
  responseId,
});

/** Returns question 213, 'Other' first. */
export function surveyOptions(language: Language): readonly SurveyOption[] {
  const { survey } = textsIn(language);
  return [
    option(OTHER_RESPONSE_ID, survey.other),
    option(412, survey.friend),
    option(413, survey.doctor),
    option(414, survey.event),
    option(415, survey.center),
    option(416, survey.internet),
  ];
}

/** The caller: a visit, and the account of its complete session, if any. */
type Asker = { readonly visit: Visit; readonly signedInAs: number | null };

export type Survey = ReturnType<typeof createSurvey>;

/** A sign-up may save its answers for this long. */
const SCOPE_MS = 15 * MINUTE_MS;

export function createSurvey({ db, clock, secretBox }: ServerContext) {
  /**
   * Whose answers these are: the form's that this visit filled in, until its code was right; then the account's. Forms of
   * others for the same address are not seen from here. @throws AppError FORBIDDEN
   */
  async function ownerOf(userId: number, { visit, signedInAs }: Asker) {
    const account = { column: 'user_id', user_id: userId, registration_id: null } as const;
    if (signedInAs === userId) return account;
    const own = await db
      .selectFrom('registrations')
      .select(['id', 'activated_at'])
      .where('visit_id', '=', visit.id)
      .where('user_id', '=', userId)
      .where('created_at', '>', later(clock.now(), -SCOPE_MS))
      .orderBy('created_at', 'desc')
      .executeTakeFirst();
    if (!own) throw new AppError('FORBIDDEN');
    return own.activated_at
      ? account
      : ({ column: 'registration_id', user_id: null, registration_id: own.id } as const);
  }

  type Owner = { readonly user_id: number | null; readonly registration_id: string | null };
  const toRow = ({ subjectId, responseId, text }: SurveyAnswer, owner: Owner, now: Date) => ({
    ...owner,
    id: randomUUID(),
    subject_id: subjectId,
    response_id: responseId,
    ...sealSurveyText(secretBox, text),
    created_at: now,
  });

  return {
    /** Saves answers of the account that this visit just signed up, or is signed in with. @throws AppError FORBIDDEN, BAD_REQUEST */
    async save(userIds: readonly number[], answers: readonly SurveyAnswer[], who: Asker) {
      const [userId, ...others] = [...new Set(userIds)];
      if (userId === undefined || others.length > 0) throw new AppError('FORBIDDEN');
      const { column, ...owner } = await ownerOf(userId, who);
      if (!answers.every(isOffered)) throw new AppError('BAD_REQUEST');
      const now = clock.now();
      await db
        .insertInto('survey_answers')
        .values(answers.map((answer) => toRow(answer, owner, now)))
        .onConflict((conflict) =>
          conflict.columns([column, 'subject_id', 'response_id']).doUpdateSet((eb) => ({
            sealed_text: eb.ref('excluded.sealed_text'),
          })),
        )
        .execute();
      return answers.length;
    },
    /** Sets the answers of an account in place of its earlier ones. @throws AppError BAD_REQUEST */
    async replace(userId: number, answers: readonly SurveyAnswer[]): Promise<void> {
      if (!answers.every(isOffered)) throw new AppError('BAD_REQUEST');
      const now = clock.now();
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('survey_answers').where('user_id', '=', userId).execute();
        if (answers.length === 0) return;
        const owner = { user_id: userId, registration_id: null };
        await transaction
          .insertInto('survey_answers')
          .values(answers.map((answer) => toRow(answer, owner, now)))
          .execute();
      });
    },
    async own(userId: number, who: Asker): Promise<readonly SurveyAnswer[]> {
      const { column, ...owner } = await ownerOf(userId, who);
      const rows = await db
        .selectFrom('survey_answers')
        .selectAll()
        .where(column, '=', owner[column])
        .orderBy('response_id')
        .execute();
      return rows.map((row) => ({
        subjectId: row.subject_id,
        responseId: row.response_id,
        text: openSurveyText(secretBox, row),
      }));
    },
  };
}

function isOffered({ subjectId, responseId }: SurveyAnswer): boolean {
  const isOption = surveyOptions(ORIGINAL).some(
    (each) => each.subjectId === subjectId && each.responseId === responseId,
  );
  const isOtherText = subjectId === OTHER_TEXT_SUBJECT_ID && responseId === OTHER_TEXT_RESPONSE_ID;
  return isOption || isOtherText;
}
