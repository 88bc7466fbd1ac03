import { toCsv } from '#domain/csv.ts';
import { openSurveyText } from '../accounts/survey-text.ts';
import type { ServerContext } from '../context.ts';
import { ORIGINAL } from '#locales/languages.ts';
import { surveyOptions } from './survey.ts';

const HEADER = [
  'answered_at',
  'account_id',
  'account_status',
  'subtenant_id',
  'subtenant',
  'email',
  'first_name',
  'last_name',
  'subject_id',
  'response_id',
  'answer',
  'text',
] as const;

type Answer = Readonly<Record<(typeof HEADER)[number], string>>;

/** Every answer to 'How did you hear about us?', oldest first. @throws OperatorError when no configured secret opens one */
export async function readSurvey({
  db,
  secretBox,
}: Pick<ServerContext, 'db' | 'secretBox'>): Promise<readonly Answer[]> {
  const rows = await db
    .selectFrom('survey_answers')
    .leftJoin('registrations', 'registrations.id', 'survey_answers.registration_id')
    .innerJoin('users', (join) =>
      join.on('users.id', '=', (eb) =>
        eb.fn.coalesce('survey_answers.user_id', 'registrations.user_id'),
      ),
    )
    .leftJoin('subtenants', 'subtenants.id', 'users.subtenant_id')
    .selectAll('survey_answers')
    .select((eb) => [
      'users.id as account_id',
      'users.email',
      eb.fn.coalesce('registrations.first_name', 'users.first_name').as('first_name'),
      eb.fn.coalesce('registrations.last_name', 'users.last_name').as('last_name'),
      'users.status',
      'users.subtenant_id',
      'subtenants.name as subtenant',
    ])
    // A stand-in of an existing account: the sign-up is not proven.
    .where('users.shadow_of', 'is', null)
    .orderBy('survey_answers.created_at')
    .orderBy('users.id')
    .orderBy('survey_answers.registration_id')
    .orderBy('survey_answers.response_id')
    .execute();
  return rows.map((row) => ({
    answered_at: row.created_at.toISOString(),
    account_id: String(row.account_id),
    account_status: row.status,
    subtenant_id: String(row.subtenant_id),
    subtenant: row.subtenant ?? '',
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    subject_id: String(row.subject_id),
    response_id: String(row.response_id),
    answer:
      surveyOptions(ORIGINAL).find(({ responseId }) => responseId === row.response_id)?.response ??
      '',
    text: openSurveyText(secretBox, row),
  }));
}

/** The answers as a table for a spreadsheet. */
export const toSpreadsheet = (answers: readonly Answer[]): string =>
  toCsv([HEADER, ...answers.map((answer) => HEADER.map((name) => answer[name]))]);
