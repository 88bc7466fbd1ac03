import type { ClientRequest, CodeMode, PendingCode, Proof, VisitState } from '#domain/visit.ts';
import type { OtpMedium, OtpType } from '#domain/otp.ts';
import { OTP_GRACE_MS, OTP_TRIES } from '#domain/otp.ts';
import { later } from '../clock.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../context.ts';
import type { SignIn, SignIns } from './sign-ins.ts';

type SentCode = {
  readonly sentTo: PendingCode['sentTo'];
  readonly remainingMs: number;
  readonly canExtend: boolean;
};

type ToSent = (
  code: {
    readonly id: string;
    readonly medium: OtpMedium;
    readonly sent_at: Date;
    readonly expires_at: Date;
  },
  recipient: { readonly email: string; readonly phone: string },
  now: Date,
) => SentCode;

/** A code screen outlives its code: there the visitor asks for a new one, for as long as one may be sent. */
const SCREEN_LIFE_MS = 24 * 60 * 60 * 1000;
/** That a link somewhere else was pressed is news to a code screen that is still open, not to a later visit. */
const NEWS_LIFE_MS = 30 * 60 * 1000;
/** As long as ActivateUser takes a right code. */
const PROOF_LIFE_MS = 10 * 60 * 1000;

/** Tells where a visit stands, so that every reload and every lost storage finds its screen again. */
export function createVisitStates(
  { db, clock }: ServerContext,
  signIns: SignIns,
  toSent: ToSent,
  findInteraction: (
    visit: Visit,
    id: string,
  ) => Promise<{
    readonly shown: ClientRequest;
    readonly requiresSignInAfter: Date | null;
  } | null>,
): (visit: Visit, request?: string | null) => Promise<VisitState> {
  async function pendingCode(visit: Visit, signIn: SignIn | null): Promise<PendingCode | null> {
    const now = clock.now();
    const row = await db
      .selectFrom('otp_codes')
      .innerJoin('users', 'users.id', 'otp_codes.user_id')
      .leftJoin('registrations', 'registrations.id', 'otp_codes.registration_id')
      .selectAll('otp_codes')
      .select([
        'users.email as userEmail',
        'users.dial_code',
        'users.mobile',
        'users.sign_up_platform',
        'registrations.email as typedEmail',
        'registrations.dial_code as typedDialCode',
        'registrations.mobile as typedMobile',
        'registrations.completed_at',
        'registrations.visit_id as registeredBy',
      ])
      .where('otp_codes.visit_id', '=', visit.id)
      .where('otp_codes.closed_at', 'is', null)
      .where('otp_codes.verified_at', 'is', null)
      .where('otp_codes.sent_at', '>', later(now, -SCREEN_LIFE_MS))
      .orderBy('otp_codes.sent_at', 'desc')
      .executeTakeFirst();
    if (!row) return null;
    const isStillAsked = row.sign_in_id
      ? signIn?.id === row.sign_in_id && signIn.stage === 'otp'
      : row.completed_at === null;
    if (!isStillAsked) return null;
    const medium = row.medium as OtpMedium;
    const email = row.typedEmail ?? row.userEmail;
    const phone = row.typedMobile
      ? `${row.typedDialCode}${row.typedMobile}`
      : `${row.dial_code}${row.mobile}`;
    const { sentTo, remainingMs, canExtend } = toSent({ ...row, medium }, { email, phone }, now);
    const isDead = row.tries >= OTP_TRIES || later(row.expires_at, OTP_GRACE_MS) <= now;
    const ownMode: CodeMode = row.registeredBy === visit.id ? 'signUp' : 'activation';
    const mode: CodeMode = row.sign_in_id ? 'signIn' : ownMode;
    return {
      id: row.id,
      userId: row.user_id,
      registrationId: row.registration_id,
      signUpPlatform: row.sign_up_platform,
      email,
      otpType: row.type as OtpType,
      mode,
      entrance: signIn?.entrance ?? 'portal',
      medium,
      sentTo,
      remainingMs: isDead ? 0 : remainingMs,
      canExtend: canExtend && !isDead,
    };
  }

  /** A right activation code that was not spent yet: what it proved is still to be used. */
  async function proofOf(visit: Visit): Promise<Proof | null> {
    const row = await db
      .selectFrom('otp_codes')
      .innerJoin('users', 'users.id', 'otp_codes.user_id')
      .innerJoin('registrations', 'registrations.id', 'otp_codes.registration_id')
      .select([
        'otp_codes.id as otpId',
        'users.id as userId',
        'registrations.id as registrationId',
        'users.sign_up_platform as signUpPlatform',
        'registrations.email',
      ])
      .where('otp_codes.visit_id', '=', visit.id)
      .where('otp_codes.closed_at', 'is', null)
      .where('otp_codes.verified_at', '>', later(clock.now(), -PROOF_LIFE_MS))
      .where('registrations.completed_at', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Not whether the account is active, but whether this visit's own form made it so. */
  async function activated(visit: Visit): Promise<string | null> {
    const row = await db
      .selectFrom('registrations')
      .innerJoin('otp_codes', 'otp_codes.registration_id', 'registrations.id')
      .select('registrations.id')
      .where('otp_codes.visit_id', '=', visit.id)
      .where('registrations.activated_at', '>', later(clock.now(), -NEWS_LIFE_MS))
      .orderBy('registrations.activated_at', 'desc')
      .executeTakeFirst();
    return row?.id ?? null;
  }

  async function emailOf(userId: number | null): Promise<string | null> {
    if (userId === null) return null;
    const row = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirst();
    return row?.email ?? null;
  }

  return async (visit, requestId) => {
    const request = requestId ? await findInteraction(visit, requestId) : null;
    const signIn = await signIns.current(visit);
    const code = await pendingCode(visit, signIn);
    // A sign-in of before does not answer a request for a fresh one: nothing offers to go on with it.
    const isTooOld =
      request?.requiresSignInAfter && (signIn?.verified_at ?? 0) <= request.requiresSignInAfter;
    const isComplete = signIn?.stage === 'complete' && !isTooOld;
    return {
      subtenantId: visit.subtenantId,
      code,
      signIn: signIn && {
        stage: signIn.stage as 'password' | 'otp' | 'verified' | 'complete',
        entrance: signIn.entrance,
        email: await emailOf(signIn.user_id),
      },
      proof: code ? null : await proofOf(visit),
      activated: code ? null : await activated(visit),
      client: request?.shown ?? null,
      login: isComplete ? await signIns.loginOf(signIn) : null,
    };
  };
}
