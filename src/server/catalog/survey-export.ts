import { toCsv } from '#domain/csv.ts';
import type { Db } from '../db/database.ts';
import { SURVEY_OPTIONS } from './survey.ts';

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
];

/** Every answer to 'How did you hear about us?', oldest first, as a table for a spreadsheet. */
export async function exportSurvey(db: Db): Promise<string> {
  const rows = await db
    .selectFrom('survey_answers')
    .innerJoin('users', 'users.id', 'survey_answers.user_id')
    .leftJoin('subtenants', 'subtenants.id', 'users.subtenant_id')
    .selectAll('survey_answers')
    .select([
      'users.email',
      'users.first_name',
      'users.last_name',
      'users.status',
      'users.subtenant_id',
      'subtenants.name as subtenant',
    ])
    // Stands in for an account that was there before: nobody signed up.
    .where('users.shadow_of', 'is', null)
    .orderBy('survey_answers.created_at')
    .orderBy('survey_answers.user_id')
    .orderBy('survey_answers.response_id')
    .execute();
  const lines = rows.map((row) => [
    row.created_at.toISOString(),
    String(row.user_id),
    row.status,
    String(row.subtenant_id),
    row.subtenant ?? '',
    row.email,
    row.first_name,
    row.last_name,
    String(row.subject_id),
    String(row.response_id),
    SURVEY_OPTIONS.find(({ responseId }) => responseId === row.response_id)?.response ?? '',
    row.sub_response,
  ]);
  return toCsv([HEADER, ...lines]);
}
