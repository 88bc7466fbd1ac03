import { toCsv } from '#domain/text/csv.ts';
import { openSurveyText } from '../accounts/survey-text.ts';
import type { ServerContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
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

/** A page of the answers, the newest first. */
type Part = {
  /** `null`: every answer. */
  readonly responseId: number | null;
  /** The subtenant of the accounts; `null`: any. */
  readonly house: number | null;
  readonly offset: number;
  readonly most: number;
};

const ALL = { responseId: null, house: null } as const;

const answersIn = (db: Db, { responseId, house }: Pick<Part, 'responseId' | 'house'> = ALL) =>
  db
    .selectFrom('survey_answers')
    .leftJoin('registrations', 'registrations.id', 'survey_answers.registration_id')
    .innerJoin('users', (join) =>
      join.on('users.id', '=', (eb) =>
        eb.fn.coalesce('survey_answers.user_id', 'registrations.user_id'),
      ),
    )
    // A stand-in of an existing account: the sign-up is not proven.
    .where('users.shadow_of', 'is', null)
    .$if(responseId !== null, (query) =>
      query.where('survey_answers.response_id', '=', responseId ?? 0),
    )
    .$if(house !== null, (query) => query.where('users.subtenant_id', '=', house ?? 0));

/** Returns the number of answers. */
export async function countSurvey(
  db: Db,
  asked: Pick<Part, 'responseId' | 'house'>,
): Promise<number> {
  const { count } = await answersIn(db, asked)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Returns the answers to 'How did you hear about us?': all, the oldest first, or a part of them.
 * @throws OperatorError when no configured secret opens one
 */
export async function readSurvey(
  { db, secretBox }: Pick<ServerContext, 'db' | 'secretBox'>,
  part?: Part,
): Promise<readonly Answer[]> {
  const rows = await answersIn(db, part)
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
    .orderBy('survey_answers.created_at', part ? 'desc' : 'asc')
    .orderBy('users.id')
    .orderBy('survey_answers.registration_id')
    .orderBy('survey_answers.response_id')
    .$if(part !== undefined, (query) => query.limit(part?.most ?? 0).offset(part?.offset ?? 0))
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
