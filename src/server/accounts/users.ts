import { randomInt } from 'node:crypto';
import {
  type ActivationMode,
  REGISTRATION_LIFE_MS,
  SIGN_UP_PLATFORM,
  TRIAL_MS,
} from '#domain/activation.ts';
import { ACADEMY_ROLE, MEMBER_ROLE, type RoleId } from '#domain/roles.ts';
import { isAcademy } from '#domain/subtenants.ts';
import { checkSignUp } from '#domain/sign-up-form.ts';
import { canonicalEmail, EMAIL_RULE } from '#domain/validation.ts';
import { fields } from '#locales/en/fields.ts';
import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../context.ts';
import { RATE_LIMITS } from '../abuse/rate-limit-rules.ts';
import { randomId } from '../crypto/secret-box.ts';
import { discard, ensureDecoyAccount, toSignUp } from './pending-accounts.ts';
import type { Selectable } from 'kysely';

export type SignUp = {
  readonly subtenantId: number;
  readonly signUpPlatform: number;
  readonly roleId: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly dialCode: string;
  readonly phone: string;
  readonly email: string;
  readonly userName: string;
  readonly password: string;
  readonly promoCode: string | null;
};

export type SignUpAnswer = {
  readonly userId: number;
  readonly id: string;
  readonly userActivationMode: ActivationMode;
};

export type Users = {
  /** Creates a pending account, or says why not (SRV-01). @throws AppError */
  create(signUp: SignUp, caller: Caller): Promise<SignUpAnswer>;
  /**
   * Moves a pending sign-up of this visit to another address; its old code and link die with the old form.
   * @throws AppError FORBIDDEN, BAD_REQUEST, EMAIL_IN_USE, TOO_MANY
   */
  changeAddress(
    claim: { readonly codeId: string; readonly userId: number; readonly email: string },
    caller: Caller,
  ): Promise<{ readonly userId: number; readonly registrationId: string }>;
  /** Whether a role was added to the account by a sign-up of today: its owner has a mail about it. */
  hasJustGained(db: Db, userId: number): Promise<boolean>;
  /** Whether someone can sign in with this address. */
  isKnown(email: string): Promise<boolean>;
};

type Ports = {
  readonly hash: (password: string) => Promise<string>;
  readonly isActiveSubtenant: (id: number) => Promise<boolean>;
  readonly isPromoUsable: (db: Db, code: string) => Promise<boolean>;
  readonly captureLead: (db: Db, person: User, cause: string) => Promise<void>;
  /** Told in the name of the subtenant where it happened. */
  readonly announceRole: (
    db: Db,
    person: User,
    subtenantId: number,
    cause: string,
  ) => Promise<void>;
};

export type User = Selectable<Tables['users']>;
type Registration = Selectable<Tables['registrations']>;

/** Random, so that ids tell nothing about how many there are; below 2^53, so that JSON keeps them whole. */
const newUserId = () => randomInt(2 ** 31, 2 ** 47);

export function createUsers(context: ServerContext, ports: Ports): Users {
  const { db, clock, config, rateLimits, audit, outbox } = context;

  return {
    async create(input, { visit, ip }) {
      await rateLimits.take([RATE_LIMITS.signUpPerIp, ip]);
      const signUp = accept(input);
      if (!(await ports.isActiveSubtenant(signUp.subtenantId))) {
        throw new AppError('INVALID_SUBTENANT');
      }
      // Every outcome below costs one hash: the time tells nothing about the address.
      const passwordHash = await ports.hash(signUp.password);
      const answer = await db.transaction().execute(async (transaction) => {
        const user = await findOrCreate(transaction, signUp);
        const answered = await settle(transaction, user, { signUp, passwordHash, visit });
        await audit(
          {
            kind: 'signUp.created',
            userId: user.id,
            visitId: visit.id,
            ip,
            details: { mode: answered.userActivationMode, subtenantId: signUp.subtenantId },
          },
          transaction,
        );
        return answered;
      });
      outbox.wake();
      return answer;
    },
    async changeAddress({ codeId, userId, email: typed }, { visit, ip }) {
      const email = EMAIL_RULE.normalize(typed);
      if (!EMAIL_RULE.isValid(email)) throw new AppError('BAD_REQUEST');
      await rateLimits.take([RATE_LIMITS.signUpPerIp, ip], [RATE_LIMITS.addressPerVisit, visit.id]);
      // Without room for a code nothing is moved: the old one still works.
      await rateLimits.check([RATE_LIMITS.codePerIp, ip], [RATE_LIMITS.codePerVisit, visit.id]);
      return db.transaction().execute(async (transaction) => {
        const old = await findWaiting(transaction, { codeId, userId }, visit);
        if (!old) throw new AppError('FORBIDDEN');
        if (canonicalEmail(old.email) === canonicalEmail(email)) {
          return { userId, registrationId: old.id };
        }
        const signUp = toSignUp(old, email);
        const user = await findOrCreate(transaction, signUp);
        const attempt = { signUp, passwordHash: old.password_hash ?? '', visit };
        const moved = await settle(transaction, user, attempt);
        if (moved.userActivationMode !== 'VERIFY_OTP') throw new AppError('EMAIL_IN_USE');
        await discard(transaction, old, moved.userId);
        await audit(
          { kind: 'signUp.addressChanged', userId: moved.userId, visitId: visit.id, ip },
          transaction,
        );
        return { userId: moved.userId, registrationId: moved.id };
      });
    },
    async hasJustGained(source, userId) {
      const mapped = await source
        .selectFrom('registrations')
        .select('id')
        .where('user_id', '=', userId)
        .where('mode', '=', 'ROLE_MAPPED')
        .where('created_at', '>', later(clock.now(), -REGISTRATION_LIFE_MS))
        .executeTakeFirst();
      return mapped !== undefined;
    },
    async isKnown(email) {
      const row = await db
        .selectFrom('users')
        .select('status')
        .where('email_canonical', '=', canonicalEmail(email))
        .executeTakeFirst();
      return row?.status === 'active';
    },
  };

  /** The row is locked for the rest of the transaction: parallel sign-ups of one address go one after another. */
  async function findOrCreate(transaction: Db, signUp: SignUp): Promise<User> {
    const now = clock.now();
    await transaction
      .insertInto('users')
      .values({
        id: newUserId(),
        email: signUp.email,
        email_canonical: canonicalEmail(signUp.email),
        first_name: signUp.firstName,
        last_name: signUp.lastName,
        dial_code: signUp.dialCode,
        mobile: signUp.phone,
        password_hash: null,
        status: 'pending',
        sign_up_platform: signUp.signUpPlatform,
        subtenant_id: signUp.subtenantId,
        created_at: now,
        activated_at: null,
        trial_ends_at: null,
      })
      .onConflict((conflict) => conflict.column('email_canonical').doNothing())
      .execute();
    return transaction
      .selectFrom('users')
      .selectAll()
      .where('email_canonical', '=', canonicalEmail(signUp.email))
      .forUpdate()
      .executeTakeFirstOrThrow();
  }

  type Attempt = { readonly signUp: SignUp; readonly passwordHash: string; readonly visit: Visit };

  async function settle(transaction: Db, user: User, attempt: Attempt): Promise<SignUpAnswer> {
    const { signUp } = attempt;
    if (signUp.promoCode !== null && !(await ports.isPromoUsable(transaction, signUp.promoCode))) {
      throw new AppError('INVALID_PROMO');
    }
    if (user.status === 'pending') {
      const id = await saveRegistration(transaction, user, attempt, 'VERIFY_OTP');
      return { userId: user.id, id, userActivationMode: 'VERIFY_OTP' };
    }
    const answer = await settleKnown(transaction, user, attempt);
    if (config.enumerationProtection !== 'strict') return answer;
    // The page says what it says to everybody; the mail tells the owner (decision 058).
    const shadow = await ensureDecoyAccount(transaction, user, signUp, newUserId());
    const id = await saveRegistration(transaction, shadow, attempt, 'VERIFY_OTP');
    return { userId: shadow.id, id, userActivationMode: 'VERIFY_OTP' };
  }

  /** Somebody has an account with this address. */
  async function settleKnown(transaction: Db, user: User, attempt: Attempt): Promise<SignUpAnswer> {
    const { signUp } = attempt;
    const hasRole = await transaction
      .selectFrom('user_roles')
      .select('role_id')
      .where('user_id', '=', user.id)
      .where('role_id', '=', signUp.roleId)
      .executeTakeFirst();
    const mapped = hasRole && (await findMapped(transaction, user, attempt));
    if (mapped) return { userId: user.id, id: mapped.id, userActivationMode: 'ROLE_MAPPED' };
    // Ids of an account that is not the visitor's own stay here: the answer carries made-up ones.
    if (hasRole || user.status === 'inactive') {
      return { userId: newUserId(), id: randomId(), userActivationMode: 'ACTIVATE_USER' };
    }
    return mapRole(transaction, user, attempt);
  }

  /** What a double click or a retry of this very visit mapped a moment ago gets the same answer. */
  function findMapped(transaction: Db, user: User, { signUp, visit }: Attempt) {
    return transaction
      .selectFrom('registrations')
      .select('id')
      .where('visit_id', '=', visit.id)
      .where('user_id', '=', user.id)
      .where('mode', '=', 'ROLE_MAPPED')
      .where('role_id', '=', signUp.roleId)
      .where('created_at', '>', later(clock.now(), -REGISTRATION_LIFE_MS))
      .executeTakeFirst();
  }

  /** The typed password is ignored and the owner is told by mail (PRF-03 is to change that). */
  async function mapRole(transaction: Db, user: User, attempt: Attempt): Promise<SignUpAnswer> {
    const { signUp } = attempt;
    const roleId = signUp.roleId as RoleId;
    await transaction
      .insertInto('user_roles')
      .values({ user_id: user.id, role_id: roleId })
      .execute();
    if (isAcademy(signUp.subtenantId) && user.trial_ends_at === null) {
      await transaction
        .updateTable('users')
        .set({ trial_ends_at: later(clock.now(), TRIAL_MS) })
        .where('id', '=', user.id)
        .execute();
    }
    const id = await saveRegistration(transaction, user, attempt, 'ROLE_MAPPED');
    const cause = `${user.id}:role-${roleId}`;
    await ports.announceRole(transaction, user, signUp.subtenantId, cause);
    if (isAcademy(signUp.subtenantId)) await ports.captureLead(transaction, user, cause);
    return { userId: user.id, id, userActivationMode: 'ROLE_MAPPED' };
  }

  /** The form that this visit fills in and waits with a code for. */
  function findWaiting(
    transaction: Db,
    { codeId, userId }: { readonly codeId: string; readonly userId: number },
    visit: Visit,
  ): Promise<Registration | undefined> {
    return transaction
      .selectFrom('registrations')
      .selectAll('registrations')
      .where('registrations.visit_id', '=', visit.id)
      .where('registrations.user_id', '=', userId)
      .where('completed_at', 'is', null)
      .where('registrations.created_at', '>', later(clock.now(), -REGISTRATION_LIFE_MS))
      .where('registrations.id', 'in', (query) =>
        query
          .selectFrom('otp_codes')
          .select('otp_codes.registration_id')
          .where('otp_codes.id', '=', codeId)
          .where('otp_codes.visit_id', '=', visit.id)
          .$narrowType<{ registration_id: string }>(),
      )
      .forUpdate()
      .executeTakeFirst();
  }

  /** A visit has one open registration for an address: typing again, a double click or a retry changes it. */
  async function saveRegistration(
    transaction: Db,
    user: User,
    { signUp, passwordHash, visit }: Attempt,
    mode: ActivationMode,
  ): Promise<string> {
    const now = clock.now();
    const details = {
      first_name: signUp.firstName,
      last_name: signUp.lastName,
      dial_code: signUp.dialCode,
      mobile: signUp.phone,
      email: signUp.email,
      password_hash: passwordHash,
      role_id: signUp.roleId,
      subtenant_id: signUp.subtenantId,
      promo_code: signUp.promoCode,
      mode,
      created_at: now,
    };
    const open = await transaction
      .updateTable('registrations')
      .set(details)
      .where('visit_id', '=', visit.id)
      .where('user_id', '=', user.id)
      .where('completed_at', 'is', null)
      .where('created_at', '>', later(now, -REGISTRATION_LIFE_MS))
      .returning('id')
      .executeTakeFirst();
    if (open) return open.id;
    const id = randomId();
    await transaction
      .insertInto('registrations')
      .values({
        id,
        visit_id: visit.id,
        user_id: user.id,
        ...details,
        completed_at: mode === 'ROLE_MAPPED' ? now : null,
      })
      .execute();
    return id;
  }
}

/**
 * Checks a sign-up by the same rules as the form, and what only the server may decide: role, platform, user name.
 * @throws AppError BAD_REQUEST naming the fields.
 */
function accept(input: SignUp): SignUp {
  const checked = checkSignUp({
    firstName: input.firstName,
    lastName: input.lastName,
    phone: input.phone,
    email: input.email,
    password: input.password,
    confirmPassword: input.password,
  });
  if (!checked.isValid) {
    const messages = Object.values(checked.problems).map((key) => fields[key]);
    throw new AppError('BAD_REQUEST', { messages });
  }
  const isRoleAllowed =
    input.roleId === MEMBER_ROLE || (input.roleId === ACADEMY_ROLE && isAcademy(input.subtenantId));
  const isSameName = canonicalEmail(input.userName) === canonicalEmail(input.email);
  if (!isRoleAllowed || !isSameName || input.signUpPlatform !== SIGN_UP_PLATFORM) {
    throw new AppError('BAD_REQUEST');
  }
  const { firstName, lastName, phone, email, password } = checked.values;
  const dialCode = `+${input.dialCode.replace(/\D/g, '')}`;
  const promo = isAcademy(input.subtenantId) ? input.promoCode?.trim().toUpperCase() : null;
  return {
    ...input,
    firstName,
    lastName,
    phone,
    email,
    password,
    dialCode,
    promoCode: promo || null,
  };
}
