import { sql } from 'kysely';
import type { FigurePeriod, HouseFigures, StepFigures } from '#contract/console.ts';
import { mediumChannels, OTP_MEDIUM } from '#domain/proofs/otp.ts';
import {
  SIGN_IN_STEPS,
  type SignInStep,
  STOP_CAUSES,
  type StopCause,
} from '#domain/flow/sign-in-steps.ts';
import { signInsDesk as texts } from '#locales/operator/figures.ts';
import type { FullContext } from '../../access/context.ts';
import { startOfDay } from './shown-people.ts';

type Context = Pick<FullContext, 'db' | 'clock' | 'config'>;

/** The days before today that belong to a period. */
const DAYS_BEFORE: Readonly<Record<FigurePeriod, number>> = { today: 0, week: 6, month: 29 };

/** The events that a visit is counted by (decision 212). */
const KINDS = [
  'signIn.wrongPassword',
  'signIn.suspended',
  'signIn.password',
  'signIn.key',
  'otp.sent',
  'otp.askedOfApp',
  'otp.wrong',
  'otp.verified',
  'message.failed',
  'signIn.complete',
  'handoff.issued',
  'handoff.moduleMissing',
] as const;

const happened = (...kinds: readonly (typeof KINDS)[number][]) =>
  sql`bool_or(kind in (${sql.join(kinds.map((kind) => sql.lit(kind)))}))`;

/** How many messages a code goes out by, from the medium of its event. */
const MESSAGES_OF_CODE = sql`case (details->>'medium')::integer ${sql.join(
  Object.values(OTP_MEDIUM).map(
    (medium) => sql`when ${sql.lit(medium)} then ${sql.lit(mediumChannels(medium).length)}`,
  ),
  sql` `,
)} else 1 end`;

/**
 * Each visit of a period: one browser on one day, the number of steps that it reached, and why it came no further. Its
 * house is that of its account; a visit without one belongs to none (CON-51).
 * Codes for another purpose than a sign-in do not count.
 */
async function visitsSince({ db, clock, config }: Context, period: FigurePeriod) {
  const from = await startOfDay({ db, clock, config }, DAYS_BEFORE[period]);
  const zone = config.timeZone ?? 'UTC';
  return sql`
    with facts as (
      select visit_id, (at at time zone ${zone}::text)::date as day,
        min(subtenant_id) filter (where user_id is not null) as house,
        max(user_id) as user_id, max(at) as at,
        ${happened('signIn.wrongPassword', 'signIn.suspended', 'signIn.password', 'signIn.key')} as tried,
        ${happened('signIn.suspended')} as suspended,
        ${happened('signIn.password', 'signIn.key')} as password,
        ${happened('otp.sent', 'otp.askedOfApp')} as asked,
        ${happened('otp.askedOfApp')} as by_app,
        ${happened('otp.wrong')} as wrong_code,
        ${happened('otp.verified', 'signIn.complete')} as code,
        ${happened('handoff.issued')} as app,
        ${happened('handoff.moduleMissing')} as missing,
        coalesce(sum(${MESSAGES_OF_CODE}) filter (where kind = 'otp.sent'), 0) as messages,
        count(*) filter (where kind = 'message.failed') as failed
      from audit_events
      where at >= ${from}::timestamptz and kind in (${sql.join(KINDS.map((kind) => sql.lit(kind)))})
        and visit_id is not null
        and (details->>'type' is null or details->>'type' = 'TWOFACTORAUTHENTICATION')
      group by 1, 2),
    visits as (
      select house, user_id, at,
        case when app then 5 when code then 4
          when password and (by_app or messages > failed) then 3
          when password then 2 else 1 end as reached,
        case when app then null when code and missing then 'moduleMissing' when code then 'wentBack'
          when password and (by_app or messages > failed) then
            case when wrong_code then 'wrongCode' else 'codeNotTyped' end
          when password and asked then 'mailCameBack' when password then 'noCodeAsked'
          when suspended then 'switchedOff' else 'wrongPassword' end as cause
      from facts where tried or app)`;
}

type Count = {
  readonly house: number | null;
  readonly reached: number;
  readonly cause: string | null;
  readonly visits: number;
};

/**
 * Returns the steps of a period: of each active house, the one with the most visits first, and of all of them.
 * @param own the only house; then there are no others beside it
 */
export async function readHouses(
  context: Context,
  period: FigurePeriod,
  own: number | null,
): Promise<{ readonly houses: readonly HouseFigures[]; readonly together: HouseFigures }> {
  const { db } = context;
  const { rows } = await sql<Count>`${await visitsSince(context, period)}
    select house, reached, cause, count(*)::integer as visits from visits group by 1, 2, 3`.execute(
    db,
  );
  const houses = await db
    .selectFrom('subtenants')
    .select(['id', 'name'])
    .where('is_active', '=', true)
    .orderBy('name')
    .execute();
  const shown = houses.map(({ id, name }) => {
    const own = rows.filter(({ house }) => house === id);
    return { id, name, steps: stepsOf(own) };
  });
  const [only] = shown.filter(({ id }) => id === own);
  if (own !== null) {
    const steps = only?.steps ?? stepsOf([]);
    return { houses: [], together: { id: null, name: only?.name ?? '', steps } };
  }
  const known = rows.filter(({ house }) => house === null || houses.some(({ id }) => id === house));
  return {
    houses: shown.toSorted((a, b) => (b.steps[0]?.visits ?? 0) - (a.steps[0]?.visits ?? 0)),
    together: { id: null, name: texts.allHouses, steps: stepsOf(known) },
  };
}

function stepsOf(counts: readonly Count[]): readonly StepFigures[] {
  return SIGN_IN_STEPS.map((step, n) => {
    const here = counts.filter(({ reached, cause }) => reached === n + 1 && cause !== null);
    const causes = STOP_CAUSES.map((cause) => ({
      cause,
      visits: sum(here.filter((each) => each.cause === cause)),
    }));
    const [most] = causes.toSorted((a, b) => b.visits - a.visits);
    return {
      step,
      visits: sum(counts.filter(({ reached }) => reached > n)),
      stopped: sum(here),
      cause: most && most.visits > 0 ? most.cause : null,
    };
  });
}

const sum = (counts: readonly { readonly visits: number }[]): number =>
  counts.reduce((all, { visits }) => all + visits, 0);

/** Returns a page of the people whose visits stopped at a step, the newest first. */
export async function readLost(
  context: Context,
  asked: {
    readonly period: FigurePeriod;
    readonly house: number | null;
    readonly step: SignInStep;
    readonly offset: number;
    readonly most: number;
  },
) {
  const { period, house, step, offset, most } = asked;
  const { rows } = await sql<{
    user_id: string | number;
    at: Date;
    times: number;
    cause: StopCause;
    total: number;
  }>`${await visitsSince(context, period)}
    select user_id, max(at) as at, count(*)::integer as times,
      (array_agg(cause order by at desc))[1] as cause, (count(*) over ())::integer as total
    from visits where reached = ${SIGN_IN_STEPS.indexOf(step) + 1} and cause is not null
      and user_id is not null and (${house}::integer is null or house = ${house}::integer)
    group by user_id order by 2 desc, 1 limit ${most} offset ${offset}`.execute(context.db);
  return {
    people: rows.map(({ user_id: userId, at, times, cause }) => ({
      userId: Number(userId),
      at: new Date(at),
      times,
      cause,
    })),
    count: rows[0]?.total ?? 0,
  };
}
