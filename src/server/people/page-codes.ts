/** Page codes: the letters of the help card, and the state of the visit that they open (decision 205). */

import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { maskEmail, OTP_TRIES, PLAIN_CODE_TYPES } from '#domain/proofs/otp.ts';
import { newPageCode, PAGE_CODE_LIFE_MS } from '#domain/help-desk/page-code.ts';
import { type ScreenName, SCREENS } from '#domain/flow/screens.ts';
import type { SignInStage } from '#domain/flow/visit.ts';
import type { VisitFacts } from '#contract/console.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { later } from '../core/clock.ts';
import type { ServerContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import type { Otp } from '../proofs/otp/otp-store.ts';

type Context = Pick<ServerContext, 'db' | 'clock'>;

/** A code that has less than this left is replaced when the card opens again, in milliseconds. */
const LEAST_LEFT_MS = 10 * MINUTE_MS;

type OpenedVisit = VisitFacts<Date> & {
  readonly madeAt: Date;
  readonly subtenantId: number | null;
};

/** The visit's session. A code is bound to it: after a sign-in and after a sign-out the letters are new. */
const sessionOf = (db: Db, visitId: string) =>
  db
    .selectFrom('sign_ins')
    .select('id')
    .where('visit_id', '=', visitId)
    .where('stage', '=', 'complete')
    .where('ended_at', 'is', null)
    .orderBy('completed_at', 'desc')
    .executeTakeFirst()
    .then((row) => row?.id ?? null);

/** Returns the visit's page code: the one of a moment ago, or new letters. */
export async function givePageCode(
  { db, clock }: Context,
  visitId: string,
  screen: ScreenName,
): Promise<{ readonly code: string; readonly expiresAt: Date }> {
  const now = clock.now();
  const signInId = await sessionOf(db, visitId);
  const known = await db
    .updateTable('page_codes')
    .set({ screen })
    .where('visit_id', '=', visitId)
    .where('expires_at', '>', later(now, LEAST_LEFT_MS))
    .where(sql<boolean>`sign_in_id is not distinct from ${signInId}`)
    .returning(['code', 'expires_at'])
    .executeTakeFirst();
  if (known) return { code: known.code, expiresAt: known.expires_at };
  const row = {
    code: newPageCode(randomInt),
    screen,
    sign_in_id: signInId,
    made_at: now,
    expires_at: later(now, PAGE_CODE_LIFE_MS),
  };
  await db
    .insertInto('page_codes')
    .values({ visit_id: visitId, ...row })
    .onConflict((conflict) => conflict.column('visit_id').doUpdateSet(row))
    .execute();
  return { code: row.code, expiresAt: row.expires_at };
}

/** Returns the state of the visit with this page code; `null`: there is none, or not any more. */
export async function readPageCode(
  { db, clock }: Context,
  code: string,
): Promise<OpenedVisit | null> {
  const now = clock.now();
  const found = await db
    .selectFrom('page_codes')
    .innerJoin('visits', 'visits.id', 'page_codes.visit_id')
    .selectAll('page_codes')
    .select('visits.subtenant_id')
    .where('code', '=', code)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!found) return null;
  const { visit_id: visitId } = found;
  if ((await sessionOf(db, visitId)) !== found.sign_in_id) return null;
  const otp = await openOtp(db, visitId);
  const { subtenantId, ...who } =
    otp?.sign_in_id === null ? signingUp(otp) : signingIn(await openSignIn(db, visitId));
  return {
    ...who,
    code,
    screen: screenNamed(found.screen),
    madeAt: found.made_at,
    expiresAt: found.expires_at,
    // That of the account: any link sets the visit's, which stands for it only where no account is known (CON-51).
    subtenantId: subtenantId ?? found.subtenant_id,
    messages: otp ? await messagesOf(db, otp.id) : [],
    otp: otp?.verified_at === null ? triesOf(otp) : null,
  };
}

const signingUp = (otp: NonNullable<Awaited<ReturnType<typeof openOtp>>>) => ({
  stage: 'signUp' as const,
  address: otp.typedEmail === null ? null : maskEmail(otp.typedEmail),
  isProven: otp.verified_at !== null,
  subtenantId: otp.subtenantId,
});

function signingIn(signIn: Awaited<ReturnType<typeof openSignIn>>) {
  const { email = null, subtenant_id: subtenantId = null } = signIn ?? {};
  const stage = stageOf(signIn?.stage);
  return {
    stage,
    address: email === null ? null : maskEmail(email),
    isProven: stage === 'verified' || stage === 'complete',
    subtenantId,
  };
}

const triesOf = (otp: Otp): OpenedVisit['otp'] => ({
  sentAt: otp.sent_at,
  expiresAt: otp.expires_at,
  wrongTries: otp.tries,
  triesLeft: Math.max(0, OTP_TRIES - otp.tries),
});

async function messagesOf(db: Db, otpId: string): Promise<OpenedVisit['messages']> {
  const rows = await db.selectFrom('messages').selectAll().where('otp_id', '=', otpId).execute();
  return rows.map((row) => ({
    channel: row.channel,
    to: row.destination,
    state: row.state,
    reason: row.reason,
    at: row.delivered_at ?? row.failed_at ?? row.sent_at ?? row.queued_at,
  }));
}

const openSignIn = (db: Db, visitId: string) =>
  db
    .selectFrom('sign_ins')
    .leftJoin('users', 'users.id', 'sign_ins.user_id')
    .select(['sign_ins.stage', 'users.email', 'users.subtenant_id'])
    .where('visit_id', '=', visitId)
    .where('ended_at', 'is', null)
    .orderBy('sign_ins.created_at', 'desc')
    .executeTakeFirst();

const openOtp = (db: Db, visitId: string) =>
  db
    .selectFrom('otp_codes')
    .leftJoin('registrations', 'registrations.id', 'otp_codes.registration_id')
    .selectAll('otp_codes')
    .leftJoin('users', 'users.id', 'otp_codes.user_id')
    .select(['registrations.email as typedEmail', 'users.subtenant_id as subtenantId'])
    .where('otp_codes.visit_id', '=', visitId)
    .where('type', 'not in', PLAIN_CODE_TYPES)
    .where('closed_at', 'is', null)
    .orderBy('sent_at', 'desc')
    .executeTakeFirst();

const stageOf = (stage: string | undefined): OpenedVisit['stage'] =>
  stage === undefined || stage === 'ended' ? 'nothing' : (stage as SignInStage);

/** Returns the screen with this name; for any other name that of an unknown address. */
export const screenNamed = (name: string): ScreenName =>
  Object.hasOwn(SCREENS, name) ? (name as ScreenName) : 'notFound';
