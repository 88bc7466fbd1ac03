import { sql } from 'kysely';
import { REGISTRATION_LIFE_MS } from '#domain/activation.ts';
import type { OtpType } from '#domain/otp.ts';
import { findActiveAccount } from '../accounts/account-store.ts';
import { openRegistrations } from '../accounts/registration-store.ts';
import { type Clock, later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Visit } from '../http/visit-cookie.ts';

/** Whom an OTP is for, and what it will allow: found through the visit, never taken from a body. */
export type OtpRecipient = {
  readonly userId: number;
  readonly type: OtpType;
  readonly registrationId: string | null;
  readonly signInId: string | null;
  readonly email: string;
  readonly phone: string;
  readonly firstName: string;
  readonly subtenantId: number;
  readonly signUpPlatform: number;
  /** The account that this one stands in for (enumeration `strict`): nothing that anybody types is right then. */
  readonly decoyOf: number | null;
};

export type Recipients = {
  /**
   * The account that an OTP of this type may go to for this visit. The id in the request is only compared.
   * @throws AppError FORBIDDEN when the visit is at no stage that allows it.
   */
  find(type: OtpType, userId: number, visit: Visit): Promise<OtpRecipient>;
};

/** Finds whom an OTP may be sent to: through the visit's own pending row, at the stage that fits (security D17). */
export function createRecipients(deps: {
  readonly db: Db;
  readonly clock: Clock;
  /** The visit's living sign-in. */
  readonly currentSignIn: (visit: Visit) => Promise<{
    readonly id: string;
    readonly stage: string;
    readonly user_id: number | null;
  } | null>;
}): Recipients {
  const { db, clock, currentSignIn } = deps;
  async function signingUp(userId: number, visit: Visit): Promise<OtpRecipient | null> {
    const now = clock.now();
    const row = await openRegistrations(db)
      // The visit followed a living link to it (ACT-03).
      .leftJoin(
        (eb) =>
          eb
            .selectFrom('activation_visits')
            .innerJoin('activation_links', 'activation_links.id', 'activation_visits.link_id')
            .select(['activation_links.registration_id', 'activation_visits.opened_at'])
            .where('activation_visits.visit_id', '=', visit.id)
            .where('activation_links.expires_at', '>', now)
            .as('followed'),
        (join) => join.onRef('followed.registration_id', '=', 'registrations.id'),
      )
      .selectAll('registrations')
      .select(['users.sign_up_platform', 'users.shadow_of'])
      .where('registrations.user_id', '=', userId)
      .where((eb) =>
        eb.or([
          eb.and([
            eb('registrations.visit_id', '=', visit.id),
            eb('registrations.created_at', '>', later(now, -REGISTRATION_LIFE_MS)),
          ]),
          eb('followed.opened_at', 'is not', null),
        ]),
      )
      // Of several, the one that this visit used last: the browser names its id.
      .orderBy(
        sql`greatest(followed.opened_at, case when registrations.visit_id = ${visit.id} then registrations.created_at end)`,
        'desc',
      )
      .executeTakeFirst();
    if (!row) return null;
    return {
      userId,
      type: 'USER_ACTIVATION',
      signUpPlatform: row.sign_up_platform,
      registrationId: row.id,
      signInId: null,
      email: row.email,
      phone: `${row.dial_code}${row.mobile}`,
      firstName: row.first_name,
      subtenantId: row.subtenant_id,
      decoyOf: row.shadow_of,
    };
  }

  async function signingIn(userId: number, visit: Visit): Promise<OtpRecipient | null> {
    const signIn = await currentSignIn(visit);
    if (signIn?.stage !== 'otp' || signIn.user_id !== userId) return null;
    const account = await findActiveAccount(db, userId);
    if (!account) return null;
    return {
      userId,
      type: 'TWOFACTORAUTHENTICATION',
      signUpPlatform: account.sign_up_platform,
      registrationId: null,
      signInId: signIn.id,
      email: account.email,
      phone: `${account.dial_code}${account.mobile}`,
      firstName: account.first_name,
      subtenantId: visit.subtenantId ?? account.subtenant_id,
      decoyOf: null,
    };
  }

  return {
    async find(type, userId, visit) {
      const finder = { USER_ACTIVATION: signingUp, TWOFACTORAUTHENTICATION: signingIn }[
        type as string
      ];
      const recipient = await finder?.(userId, visit);
      if (!recipient) throw new AppError('FORBIDDEN');
      return recipient;
    },
  };
}
