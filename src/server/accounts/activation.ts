import { ACTIVATION_PROOF_LIFE_MS, TRIAL_MS } from '#domain/activation.ts';
import { maskEmail } from '#domain/otp.ts';
import { isPasswordAcceptable } from '#domain/password-policy.ts';
import { isAcademy } from '#domain/subtenants.ts';
import { canonicalEmail } from '#domain/validation.ts';
import type { Selectable } from 'kysely';
import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import { AppError } from '../http/app-error.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../context.ts';

type Claim = {
  readonly userId: number;
  readonly registrationId: string | null;
  readonly otpId: string;
  /** Typed at set password; counts only where the account has none. */
  readonly password: string | null;
};

type User = Selectable<Tables['users']>;

export type Activation = {
  /** Whether the account whose address this visit just proved has a password already (security D15). */
  isAuthUser(email: string, visit: Visit): Promise<boolean>;
  /** Activates the account of a right code, once. @throws AppError FORBIDDEN */
  activate(claim: Claim, visit: Visit, ip: string): Promise<void>;
};

type Ports = {
  readonly captureLead: (db: Db, person: User, cause: string) => Promise<void>;
  readonly hash: (password: string) => Promise<string>;
  /** Whether the hosted login knows a password of this address that we do not. */
  readonly hasProviderPassword: (email: string) => Promise<boolean>;
  /** The account is active from now on. */
  readonly activated: (db: Db, userId: number) => Promise<void>;
  readonly usePromo: (db: Db, code: string) => Promise<boolean>;
};

export function createActivation(context: ServerContext, ports: Ports): Activation {
  const { db, clock, audit, outbox } = context;

  const provenCodes = (source: Db, visit: Visit) =>
    source
      .selectFrom('otp_codes')
      .where('otp_codes.visit_id', '=', visit.id)
      .where('otp_codes.type', '=', 'USER_ACTIVATION')
      .where('otp_codes.verified_at', '>', later(clock.now(), -ACTIVATION_PROOF_LIFE_MS));

  /** Asked only where we have no password at all, and only about an address that this visit has proven. */
  async function isPasswordKnownThere(claim: Claim, visit: Visit): Promise<boolean> {
    const row = await provenCodes(db, visit)
      .innerJoin('users', 'users.id', 'otp_codes.user_id')
      .innerJoin('registrations', 'registrations.id', 'otp_codes.registration_id')
      .select('registrations.email')
      .where('otp_codes.id', '=', claim.otpId)
      .where('users.password_hash', 'is', null)
      .where('registrations.password_hash', 'is', null)
      .executeTakeFirst();
    return row !== undefined && ports.hasProviderPassword(row.email);
  }

  return {
    async isAuthUser(email, visit) {
      const proven = await provenCodes(db, visit)
        .innerJoin('users', 'users.id', 'otp_codes.user_id')
        .select(['users.password_hash', 'users.email', 'users.email_canonical'])
        .where('otp_codes.closed_at', 'is', null)
        .execute();
      const asked = canonicalEmail(email);
      // Whoever came by a link knows the address only as it was shown: masked.
      const own = proven.filter((user) =>
        [user.email_canonical, maskEmail(user.email)].includes(asked),
      );
      if (own.some((user) => user.password_hash !== null)) return true;
      const [first] = own;
      return first !== undefined && ports.hasProviderPassword(first.email);
    },

    async activate(claim, visit, ip) {
      const typed = claim.password;
      if (typed !== null && !isPasswordAcceptable(typed)) throw new AppError('BAD_REQUEST');
      const typedHash = typed === null ? null : await ports.hash(typed);
      const isPasswordThere = typed === null && (await isPasswordKnownThere(claim, visit));
      await db.transaction().execute(async (transaction) => {
        const user = await transaction
          .selectFrom('users')
          .selectAll()
          .where('id', '=', claim.userId)
          .forUpdate()
          .executeTakeFirst();
        const code = await provenCodes(transaction, visit)
          .selectAll('otp_codes')
          .where('otp_codes.id', '=', claim.otpId)
          .where('otp_codes.user_id', '=', claim.userId)
          .executeTakeFirst();
        const registration = code?.registration_id
          ? await transaction
              .selectFrom('registrations')
              .selectAll()
              .where('id', '=', code.registration_id)
              .executeTakeFirst()
          : undefined;
        if (!user || !code || !registration) throw new AppError('FORBIDDEN');
        if (claim.registrationId !== null && claim.registrationId !== registration.id) {
          throw new AppError('FORBIDDEN');
        }
        // A double click or a lost answer: what this code activated stays activated.
        if (registration.completed_at) return;
        // Closed meanwhile: no code opens what an operator closed.
        if (user.status !== 'pending' || user.shadow_of !== null) throw new AppError('FORBIDDEN');
        const passwordHash = user.password_hash ?? registration.password_hash ?? typedHash;
        if (passwordHash === null && !isPasswordThere) throw new AppError('BAD_REQUEST');
        await complete(transaction, user, registration, passwordHash);
        await audit(
          { kind: 'account.activated', userId: user.id, visitId: visit.id, ip },
          transaction,
        );
      });
      outbox.wake();
    },
  };

  /** The proven form becomes the account; whatever others typed for the same address counts no more (security D27). */
  async function complete(
    transaction: Db,
    user: User,
    registration: Selectable<Tables['registrations']>,
    passwordHash: string | null,
  ): Promise<void> {
    const now = clock.now();
    const isTrial = isAcademy(registration.subtenant_id);
    const person = {
      email: registration.email,
      first_name: registration.first_name,
      last_name: registration.last_name,
      dial_code: registration.dial_code,
      mobile: registration.mobile,
    };
    await transaction
      .updateTable('users')
      .set({
        ...person,
        password_hash: passwordHash,
        subtenant_id: registration.subtenant_id,
        status: 'active',
        activated_at: now,
        trial_ends_at: isTrial ? later(now, TRIAL_MS) : null,
      })
      .where('id', '=', user.id)
      .execute();
    await transaction
      .insertInto('user_roles')
      .values({ user_id: user.id, role_id: registration.role_id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction
      .updateTable('registrations')
      .set({ activated_at: now })
      .where('id', '=', registration.id)
      .execute();
    await transaction
      .updateTable('registrations')
      .set({ completed_at: now })
      .where('user_id', '=', user.id)
      .where('completed_at', 'is', null)
      .execute();
    await transaction
      .updateTable('otp_codes')
      .set({ closed_at: now })
      .where('user_id', '=', user.id)
      .where('closed_at', 'is', null)
      .execute();
    await ports.activated(transaction, user.id);
    const { promo_code: promo } = registration;
    if (promo && !(await ports.usePromo(transaction, promo))) {
      // The last use went to someone else meanwhile: that must not keep a proven person out.
      await audit({ kind: 'promo.usedUp', userId: user.id, details: { promo } }, transaction);
    }
    if (isTrial) {
      await ports.captureLead(transaction, { ...user, ...person }, `${user.id}:activated`);
    }
  }
}
