import { REGISTRATION_LIFE_MS } from '#domain/activation.ts';
import { sql } from 'kysely';
import type { OtpType } from '#domain/otp.ts';
import type { Clock } from '../clock.ts';
import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { Recipient } from './otp.ts';

export type Recipients = {
  /**
   * The account a code of this type may go to for this visit. The id in the request is only compared.
   * @throws AppError FORBIDDEN when the visit is at no stage that allows it.
   */
  find(type: OtpType, userId: number, visit: Visit): Promise<Recipient>;
};

/** Finds whom a code may be sent to: through the visit's own pending row, at the stage that fits (security D17). */
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
  async function signingUp(userId: number, visit: Visit): Promise<Recipient | null> {
    const now = clock.now();
    const row = await db
      .selectFrom('registrations')
      .innerJoin('users', 'users.id', 'registrations.user_id')
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
      .where('users.status', '=', 'pending')
      .where('completed_at', 'is', null)
      .where((eb) =>
        eb.or([
          eb.and([
            eb('registrations.visit_id', '=', visit.id),
            eb('registrations.created_at', '>', later(now, -REGISTRATION_LIFE_MS)),
          ]),
          eb('followed.opened_at', 'is not', null),
        ]),
      )
      // Of several the one that this visit had to do with last: its id is what the browser will name.
      .orderBy(
        sql`greatest(followed.opened_at, case when registrations.visit_id = ${visit.id} then registrations.created_at end)`,
        'desc',
      )
      .executeTakeFirst();
    return (
      (row && {
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
      }) ||
      null
    );
  }

  async function signingIn(userId: number, visit: Visit): Promise<Recipient | null> {
    const signIn = await currentSignIn(visit);
    if (signIn?.stage !== 'otp' || signIn.user_id !== userId) return null;
    const row = await db
      .selectFrom('users')
      .select(['email', 'dial_code', 'mobile', 'first_name', 'subtenant_id', 'sign_up_platform'])
      .where('id', '=', userId)
      .where('status', '=', 'active')
      .executeTakeFirst();
    return (
      (row && {
        userId,
        type: 'TWOFACTORAUTHENTICATION',
        signUpPlatform: row.sign_up_platform,
        registrationId: null,
        signInId: signIn.id,
        email: row.email,
        phone: `${row.dial_code}${row.mobile}`,
        firstName: row.first_name,
        subtenantId: visit.subtenantId ?? row.subtenant_id,
        decoyOf: null,
      }) ||
      null
    );
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
