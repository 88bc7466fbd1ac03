import { TRIAL_MS } from '#domain/activation.ts';
import { maskEmail } from '#domain/otp.ts';
import { isPasswordAcceptable } from '#domain/password-policy.ts';
import { isAcademy } from '#domain/subtenants.ts';
import { canonicalEmail } from '#domain/validation.ts';
import {
  type Account,
  grantRoles,
  lockAccount,
  type PersonalData,
  personalDataOf,
} from '../accounts/account-store.ts';
import { activationProofs, type Registration } from '../accounts/registration-store.ts';
import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
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

export type Activation = {
  /** Whether the account whose address this visit just proved has a password already (security D15). */
  isAuthUser(email: string, visit: Visit): Promise<boolean>;
  /** Activates the account of a right OTP, once. @throws AppError FORBIDDEN */
  activate(claim: Claim, visit: Visit, ip: string): Promise<void>;
};

type Ports = {
  readonly captureLead: (db: Db, person: PersonalData, cause: string) => Promise<void>;
  readonly hash: (password: string) => Promise<string>;
  /** Whether the hosted login knows a password of this address that we do not. */
  readonly hasProviderPassword: (email: string) => Promise<boolean>;
  /** The account is active from now on. */
  readonly activated: (db: Db, userId: number) => Promise<void>;
  readonly usePromo: (db: Db, code: string) => Promise<boolean>;
};

export function createActivation(context: ServerContext, ports: Ports): Activation {
  const { db, clock, audit, outbox } = context;

  const proofsOf = (source: Db, visit: Visit) => activationProofs(source, visit.id, clock.now());

  /** Asked only where we have no password at all, and only about an address that this visit has proven. */
  async function isPasswordKnownThere(claim: Claim, visit: Visit): Promise<boolean> {
    const row = await proofsOf(db, visit)
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
      const proven = await proofsOf(db, visit)
        .innerJoin('users', 'users.id', 'otp_codes.user_id')
        .select(['users.password_hash', 'users.email', 'users.email_canonical'])
        .where('otp_codes.closed_at', 'is', null)
        .execute();
      const asked = canonicalEmail(email);
      // A visitor who came by a link knows the address only as it was shown: masked.
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
        const account = await lockAccount(transaction, claim.userId);
        const proof = await proofsOf(transaction, visit)
          .selectAll('otp_codes')
          .where('otp_codes.id', '=', claim.otpId)
          .where('otp_codes.user_id', '=', claim.userId)
          .executeTakeFirst();
        const registration = proof?.registration_id
          ? await transaction
              .selectFrom('registrations')
              .selectAll()
              .where('id', '=', proof.registration_id)
              .executeTakeFirst()
          : undefined;
        if (!account || !proof || !registration) throw new AppError('FORBIDDEN');
        if (claim.registrationId !== null && claim.registrationId !== registration.id) {
          throw new AppError('FORBIDDEN');
        }
        // A double click or a lost answer: what this OTP activated stays activated.
        if (registration.completed_at) return;
        // Nothing opens a decoy, or what an operator closed meanwhile.
        const isOpen = account.status === 'pending' && account.shadow_of === null;
        if (!isOpen) throw new AppError('FORBIDDEN');
        const passwordHash = account.password_hash ?? registration.password_hash ?? typedHash;
        if (passwordHash === null && !isPasswordThere) throw new AppError('BAD_REQUEST');
        await complete(transaction, account, registration, passwordHash);
        await audit(
          { kind: 'account.activated', userId: account.id, visitId: visit.id, ip },
          transaction,
        );
      });
      outbox.wake();
    },
  };

  /** The proven form becomes the account; forms that others filled in for the same address end (security D27). */
  async function complete(
    transaction: Db,
    { id }: Account,
    registration: Registration,
    passwordHash: string | null,
  ): Promise<void> {
    const now = clock.now();
    const isTrial = isAcademy(registration.subtenant_id);
    const person = personalDataOf(registration);
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
      .where('id', '=', id)
      .execute();
    await grantRoles(transaction, id, [registration.role_id]);
    await transaction
      .updateTable('registrations')
      .set({ activated_at: now })
      .where('id', '=', registration.id)
      .execute();
    await transaction
      .updateTable('registrations')
      .set({ completed_at: now })
      .where('user_id', '=', id)
      .where('completed_at', 'is', null)
      .execute();
    await transaction
      .updateTable('otp_codes')
      .set({ closed_at: now })
      .where('user_id', '=', id)
      .where('closed_at', 'is', null)
      .execute();
    await ports.activated(transaction, id);
    const { promo_code: promo } = registration;
    if (promo && !(await ports.usePromo(transaction, promo))) {
      // Somebody else had the last use meanwhile; that must not stop the activation.
      await audit({ kind: 'promo.usedUp', userId: id, details: { promo } }, transaction);
    }
    if (isTrial) {
      await ports.captureLead(transaction, person, `${id}:activated`);
    }
  }
}
