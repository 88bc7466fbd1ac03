import { ACADEMY_ROLE, MEMBER_ROLE } from '#domain/roles.ts';
import { isAcademy } from '#domain/subtenants.ts';
import { checkSignUp } from '#domain/sign-up-form.ts';
import { type ActivationMode, SIGN_UP_PLATFORM, TRIAL_MS } from '#domain/activation.ts';
import { canonicalEmail, EMAIL_RULE } from '#domain/validation.ts';
import { fields } from '#locales/en/fields.ts';
import {
  type Account,
  ensureDecoyAccount,
  findAccountByEmail,
  grantRoles,
  hasRole,
  insertAccounts,
  lockAccountByEmail,
  newAccountId,
  type PersonalData,
  personalDataOf,
} from '../accounts/account-store.ts';
import type { Registration, SignUpForm } from '../accounts/registration-store.ts';
import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../context.ts';
import { RATE_LIMITS } from '../abuse/rate-limit-rules.ts';
import { randomId } from '../crypto/secret-box.ts';
import { discardForm, lockWaitingForm, mappedForms, saveForm } from './sign-up-forms.ts';

/** A sign-up as a browser or an application sends it. */
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

export type SignUps = {
  /** Creates a pending account, or says why not (SRV-01). @throws AppError */
  create(signUp: SignUp, caller: Caller): Promise<SignUpAnswer>;
  /**
   * Moves a pending sign-up of this visit to another address; its old OTP and link go with the old form.
   * @throws AppError FORBIDDEN, BAD_REQUEST, EMAIL_IN_USE, TOO_MANY
   */
  changeAddress(
    claim: { readonly otpId: string; readonly userId: number; readonly email: string },
    caller: Caller,
  ): Promise<{ readonly userId: number; readonly registrationId: string }>;
  /** Whether a sign-up of today added a role to the account: its owner has a mail about it. */
  hasJustGained(db: Db, userId: number): Promise<boolean>;
  /** Whether someone can sign in with this address. */
  isKnown(email: string): Promise<boolean>;
};

type Ports = {
  readonly hash: (password: string) => Promise<string>;
  readonly isActiveSubtenant: (id: number) => Promise<boolean>;
  readonly isPromoUsable: (db: Db, code: string) => Promise<boolean>;
  readonly captureLead: (db: Db, person: PersonalData, cause: string) => Promise<void>;
  /** Tells the owner in the name of the subtenant where the role was added. */
  readonly announceRole: (
    db: Db,
    account: Account,
    subtenantId: number,
    cause: string,
  ) => Promise<void>;
};

/** Sign-ups: a pending account for a new address, another role for a known one. */
export function createSignUps(context: ServerContext, ports: Ports): SignUps {
  const { db, clock, config, rateLimits, audit, outbox } = context;

  return {
    async create(input, { visit, ip }) {
      await rateLimits.take([RATE_LIMITS.signUpPerIp, ip]);
      const { password, ...accepted } = accept(input);
      if (!(await ports.isActiveSubtenant(accepted.subtenant_id))) {
        throw new AppError('INVALID_SUBTENANT');
      }
      // Every outcome below costs one hash: the time tells nothing about the address.
      const form = { ...accepted, password_hash: await ports.hash(password) };
      const answer = await db.transaction().execute(async (transaction) => {
        const account = await findOrCreate(transaction, form);
        const answered = await settle(transaction, account, { form, visit });
        await audit(
          {
            kind: 'signUp.created',
            userId: account.id,
            visitId: visit.id,
            ip,
            details: { mode: answered.userActivationMode, subtenantId: form.subtenant_id },
          },
          transaction,
        );
        return answered;
      });
      outbox.wake();
      return answer;
    },

    async changeAddress({ otpId, userId, email: typed }, { visit, ip }) {
      const email = EMAIL_RULE.normalize(typed);
      if (!EMAIL_RULE.isValid(email)) throw new AppError('BAD_REQUEST');
      await rateLimits.take([RATE_LIMITS.signUpPerIp, ip], [RATE_LIMITS.addressPerVisit, visit.id]);
      // When no OTP can be sent, nothing is moved: the old one still works.
      await rateLimits.check([RATE_LIMITS.codePerIp, ip], [RATE_LIMITS.codePerVisit, visit.id]);
      return db.transaction().execute(async (transaction) => {
        const claim = { otpId, userId, visitId: visit.id };
        const old = await lockWaitingForm(transaction, claim, clock.now());
        if (!old) throw new AppError('FORBIDDEN');
        if (canonicalEmail(old.email) === canonicalEmail(email)) {
          return { userId, registrationId: old.id };
        }
        const form = { ...formOf(old), email };
        const account = await findOrCreate(transaction, form);
        const moved = await settle(transaction, account, { form, visit });
        if (moved.userActivationMode !== 'VERIFY_OTP') throw new AppError('EMAIL_IN_USE');
        await discardForm(transaction, old, moved.userId);
        await audit(
          { kind: 'signUp.addressChanged', userId: moved.userId, visitId: visit.id, ip },
          transaction,
        );
        return { userId: moved.userId, registrationId: moved.id };
      });
    },

    async hasJustGained(source, userId) {
      return (await mappedForms(source, userId, clock.now()).executeTakeFirst()) !== undefined;
    },

    async isKnown(email) {
      return (await findAccountByEmail(db, email))?.status === 'active';
    },
  };

  /** Locks the account: parallel sign-ups of one address go one after another. */
  async function findOrCreate(transaction: Db, form: SignUpForm): Promise<Account> {
    await insertAccounts(transaction, [{ ...ownDataOf(form), created_at: clock.now() }]);
    const account = await lockAccountByEmail(transaction, form.email);
    // Deleted between the two statements, for example by the clean-up: the next try adds it again.
    if (!account) throw new AppError('UNAVAILABLE');
    return account;
  }

  type Attempt = { readonly form: SignUpForm; readonly visit: Visit };

  async function settle(
    transaction: Db,
    account: Account,
    attempt: Attempt,
  ): Promise<SignUpAnswer> {
    const { promo_code: promo } = attempt.form;
    if (promo !== null && !(await ports.isPromoUsable(transaction, promo))) {
      throw new AppError('INVALID_PROMO');
    }
    if (account.status === 'pending') return save(transaction, account, attempt, 'VERIFY_OTP');
    const answer = await settleKnown(transaction, account, attempt);
    if (config.enumerationProtection !== 'strict') return answer;
    // The page says what it says to everybody; the mail tells the owner (decision 058).
    const decoy = await ensureDecoyAccount(transaction, account, ownDataOf(attempt.form));
    return save(transaction, decoy, attempt, 'VERIFY_OTP');
  }

  /** Somebody has an account with this address. */
  async function settleKnown(
    transaction: Db,
    account: Account,
    attempt: Attempt,
  ): Promise<SignUpAnswer> {
    const { form, visit } = attempt;
    const has = await hasRole(transaction, account.id, form.role_id);
    // A double click or a retry of the visit whose form added the role gets the same answer.
    const mapped =
      has &&
      (await mappedForms(transaction, account.id, clock.now())
        .where('visit_id', '=', visit.id)
        .where('role_id', '=', form.role_id)
        .executeTakeFirst());
    if (mapped) return { userId: account.id, id: mapped.id, userActivationMode: 'ROLE_MAPPED' };
    // Ids of an account that is not the visitor's own stay here: the answer carries made-up ones.
    if (has || account.status === 'inactive') {
      return { userId: newAccountId(), id: randomId(), userActivationMode: 'ACTIVATE_USER' };
    }
    return mapRole(transaction, account, attempt);
  }

  /** Adds the role. The typed password is ignored and the owner gets a mail (PRF-03 is to change that). */
  async function mapRole(
    transaction: Db,
    account: Account,
    attempt: Attempt,
  ): Promise<SignUpAnswer> {
    const { role_id: roleId, subtenant_id: subtenantId } = attempt.form;
    await grantRoles(transaction, account.id, [roleId]);
    if (isAcademy(subtenantId) && account.trial_ends_at === null) {
      await transaction
        .updateTable('users')
        .set({ trial_ends_at: later(clock.now(), TRIAL_MS) })
        .where('id', '=', account.id)
        .execute();
    }
    const answer = await save(transaction, account, attempt, 'ROLE_MAPPED');
    const cause = `${account.id}:role-${roleId}`;
    await ports.announceRole(transaction, account, subtenantId, cause);
    if (isAcademy(subtenantId)) await ports.captureLead(transaction, account, cause);
    return answer;
  }

  async function save(
    transaction: Db,
    { id: userId }: Account,
    { form, visit }: Attempt,
    mode: ActivationMode,
  ): Promise<SignUpAnswer> {
    const owner = { userId, visitId: visit.id, mode };
    const id = await saveForm(transaction, form, owner, clock.now());
    return { userId, id, userActivationMode: mode };
  }
}

/** What an account takes of a form before anything is proven. */
function ownDataOf(form: SignUpForm) {
  return { ...personalDataOf(form), subtenant_id: form.subtenant_id };
}

/** A saved form as it was filled in. */
function formOf(saved: Registration): SignUpForm {
  const { password_hash, role_id, subtenant_id, promo_code } = saved;
  return { ...personalDataOf(saved), password_hash, role_id, subtenant_id, promo_code };
}

/**
 * Checks a sign-up by the same rules as the form, and what only the server may decide: role, platform, user name.
 * @throws AppError BAD_REQUEST naming the fields.
 */
function accept(input: SignUp) {
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
  const promo = isAcademy(input.subtenantId) ? input.promoCode?.trim().toUpperCase() : null;
  return {
    first_name: firstName,
    last_name: lastName,
    dial_code: `+${input.dialCode.replace(/\D/g, '')}`,
    mobile: phone,
    email,
    password,
    role_id: input.roleId,
    subtenant_id: input.subtenantId,
    promo_code: promo || null,
  };
}
