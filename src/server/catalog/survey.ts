import { randomUUID } from 'node:crypto';
import {
  OTHER_RESPONSE_ID,
  OTHER_TEXT_RESPONSE_ID,
  OTHER_TEXT_SUBJECT_ID,
  SURVEY_SUBJECT_ID,
  type SurveyAnswer,
  type SurveyOption,
} from '#domain/survey.ts';
import { survey as texts } from '#locales/en/survey.ts';
import { later } from '../clock.ts';
import { AppError } from '../http/app-error.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../context.ts';

const option = (responseId: number, response: string): SurveyOption => ({
  subjectId: SURVEY_SUBJECT_ID,
  response,
  responseId,
});

/** Question 213, 'Other' first. */
export const SURVEY_OPTIONS: readonly SurveyOption[] = [
  option(OTHER_RESPONSE_ID, texts.other),
  option(412, texts.friend),
  option(413, texts.doctor),
  option(414, texts.event),
  option(415, texts.center),
  option(416, texts.internet),
];

export type Survey = {
  /** Saves answers of the account this visit just signed up. @throws AppError FORBIDDEN, BAD_REQUEST */
  save(userIds: readonly number[], answers: readonly SurveyAnswer[], visit: Visit): Promise<number>;
  own(userId: number, visit: Visit): Promise<readonly SurveyAnswer[]>;
};

/** A sign-up may save its answers for this long. */
const SCOPE_MS = 15 * 60 * 1000;

export function createSurvey({ db, clock }: ServerContext): Survey {
  async function assertOwn(userId: number, visit: Visit): Promise<void> {
    const own = await db
      .selectFrom('registrations')
      .select('id')
      .where('visit_id', '=', visit.id)
      .where('user_id', '=', userId)
      .where('created_at', '>', later(clock.now(), -SCOPE_MS))
      .executeTakeFirst();
    if (!own) throw new AppError('FORBIDDEN');
  }

  return {
    async save(userIds, answers, visit) {
      const [userId, ...others] = [...new Set(userIds)];
      if (userId === undefined || others.length > 0) throw new AppError('FORBIDDEN');
      await assertOwn(userId, visit);
      if (!answers.every(isOffered)) throw new AppError('BAD_REQUEST');
      const now = clock.now();
      await db
        .insertInto('survey_answers')
        .values(
          answers.map((answer) => ({
            id: randomUUID(),
            user_id: userId,
            subject_id: answer.subjectId,
            response_id: answer.responseId,
            sub_response: answer.text,
            created_at: now,
          })),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'subject_id', 'response_id'])
            .doUpdateSet((eb) => ({ sub_response: eb.ref('excluded.sub_response') })),
        )
        .execute();
      return answers.length;
    },
    async own(userId, visit) {
      await assertOwn(userId, visit);
      const rows = await db
        .selectFrom('survey_answers')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('response_id')
        .execute();
      return rows.map((row) => ({
        subjectId: row.subject_id,
        responseId: row.response_id,
        text: row.sub_response,
      }));
    },
  };
}

function isOffered({ subjectId, responseId }: SurveyAnswer): boolean {
  const isOption = SURVEY_OPTIONS.some(
    (each) => each.subjectId === subjectId && each.responseId === responseId,
  );
  const isOtherText = subjectId === OTHER_TEXT_SUBJECT_ID && responseId === OTHER_TEXT_RESPONSE_ID;
  return isOption || isOtherText;
}
