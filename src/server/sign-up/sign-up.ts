import type { ActivationMode } from '#domain/proofs/activation.ts';
import { canonicalEmail, EMAIL_RULE } from '#domain/typed/validation.ts';
import {
  type Account,
  ensureStandIn,
  findAccountByEmail,
  hasRole,
  insertAccounts,
  lockAccountByEmail,
  newAccountId,
} from '../accounts/account-store.ts';
import { waysOf } from '../accounts/organisation-links.ts';
import { isProvenByPhoneAlone } from '../accounts/proven-contacts.ts';
import type { Registration, SignUpForm } from '../accounts/registration-store.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { AddressClaim } from '../proofs/otp/otp.routes.ts';
import type { ServerContext } from '../core/context.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { randomId } from '../crypto/secret-box.ts';
import {
  discardForm,
  findSameForm,
  lockWaitingForm,
  mappedForms,
  saveForm,
} from './sign-up-forms.ts';
import type { Ports, SignUp, SignUpAnswer } from './sign-up-ports.ts';
import { acceptPhone, signUpFormOf, ownDataOf, validateForm } from './validate-form.ts';

const signUpAnswer = ({ id, user_id: userId, mode }: Registration): SignUpAnswer => ({
  userId,
  id,
  userActivationMode: mode as ActivationMode,
});

export type SignUps = ReturnType<typeof createSignUps>;

/** Creates sign-ups: a pending account for a new address, another role for a known one. */
export function createSignUps(context: ServerContext, ports: Ports) {
  const { db, clock, rateLimits, audit, outbox } = context;

  /**
   * Returns the account that the visitor has shown to own, and the hash of the entered password. Without disclosure all
   * forms cost the same work and the same try: neither the time nor a limit tells whether an address has an account.
   */
  async function identifyOwner(
    email: string,
    roleId: number,
    password: string,
    { visit, ip, mayDisclose }: Caller & { readonly mayDisclose: boolean },
  ): Promise<{ readonly ownerOf: number | null; readonly passwordHash: string | null }> {
    const account = await findAccountByEmail(db, email);
    const isActive = account?.status === 'active';
    const lacksRole = isActive && !(await hasRole(db, account.id, roleId));
    const isOwn = isActive && (await ports.signIns.isSignedIn(visit, account.id));
    const isTry = !mayDisclose || (lacksRole && !isOwn);
    const isRight = isTry && (await ports.passwordCheck.isOfAddress({ email, password, ip }));
    const ownerOf = account && (isOwn || (isRight && isActive)) ? account.id : null;
    // A role that is added at once needs no password; a waiting form may still move to another address.
    const needsHash = !isRight || !mayDisclose;
    return { ownerOf, passwordHash: needsHash ? await ports.hashing.hash(password) : null };
  }

  return {
    /**
     * Creates a pending account, or returns why not (SRV-01). Unless `mayDisclose`, the answer is the same for a taken
     * address, as in `strict`.
     * @throws AppError
     */
    async create(input: SignUp, { visit, ip }: Caller, mayDisclose: boolean) {
      const { password, ...accepted } = await validateRequest(input, ip);
      const caller = { visit, ip, mayDisclose };
      const identified = await identifyOwner(accepted.email, accepted.role_id, password, caller);
      const { ownerOf, passwordHash } = identified;
      // A proven owner keeps the password, even if today's rules would refuse it.
      if (ownerOf === null && (await ports.isGuessable(password, accepted))) {
        // The first of a double click may have added the role by now; the second then counts no try.
        const done = await findSameForm(db, accepted, visit.id, clock.now());
        if (done?.mode === 'ROLE_MAPPED') return signUpAnswer(done);
        throw new AppError('PASSWORD_GUESSABLE');
      }
      const form = { ...accepted, password_hash: passwordHash };
      return persist({ form, visit, ownerOf, mayDisclose }, ip);
    },

    /**
     * Checks and hashes a form without reading any account.
     * @throws AppError as `create` does
     */
    async prepare(input: SignUp, ip: string): Promise<SignUpForm> {
      const { password, ...accepted } = await validateRequest(input, ip);
      if (await ports.isGuessable(password, accepted)) throw new AppError('PASSWORD_GUESSABLE');
      return { ...accepted, password_hash: await ports.hashing.hash(password) };
    },

    /** Handles a prepared form as `create` does without disclosure; the account's own password adds no role. */
    createWithoutDisclosure: (form: SignUpForm, { visit, ip }: Caller) =>
      persist({ form, visit, ownerOf: null, mayDisclose: false }, ip),

    /**
     * Returns the same answer to a form that this visit has sent before: a retry costs and changes nothing, and no limit
     * applies (SRV-02). `null` for any other form.
     * @throws AppError BAD_REQUEST
     */
    async findPreviousAnswer(input: SignUp, visit: Visit): Promise<SignUpAnswer | null> {
      const { password, ...form } = await validateForm(input);
      const known = await findSameForm(db, form, visit.id, clock.now());
      if (!known) return null;
      const answer = signUpAnswer(known);
      if (known.mode === 'ROLE_MAPPED') return answer;
      // The comparison costs as much as a sign-up: a visit has a number of retries.
      if (!(await rateLimits.isWithin([RATE_LIMITS.signUpAgainPerVisit, visit.id]))) return null;
      return (await ports.hashing.verify(known.password_hash, password)) ? answer : null;
    },

    /**
     * Moves a pending sign-up of this visit to another address, number or both; closes its old OTP, and with another
     * address deletes the old form and its link.
     * @throws AppError FORBIDDEN, BAD_REQUEST, EMAIL_IN_USE, TOO_MANY
     */
    async changeAddress(
      { otpId, userId, email: typed, phone }: AddressClaim,
      { visit, ip }: Caller,
    ) {
      const mayDisclose = await ports.enumerationGuard.mayDisclose(visit.id, ip);
      const email = EMAIL_RULE.normalize(typed);
      const number = phone && (await acceptPhone(phone));
      if (!EMAIL_RULE.isValid(email)) throw new AppError('BAD_REQUEST');
      await rateLimits.consume(
        [RATE_LIMITS.signUpPerIp, ip],
        [RATE_LIMITS.addressPerVisit, visit.id],
      );
      // When no OTP can be sent, nothing changes: the old one still works.
      await rateLimits.check([RATE_LIMITS.codePerIp, ip], [RATE_LIMITS.codePerVisit, visit.id]);
      return db.transaction().execute(async (transaction) => {
        const claim = { otpId, userId, visitId: visit.id };
        const old = await lockWaitingForm(transaction, claim, clock.now());
        if (!old) throw new AppError('FORBIDDEN');
        const isSame = canonicalEmail(old.email) === canonicalEmail(email);
        const isNumberKept =
          !number || (number.dial_code === old.dial_code && number.mobile === old.mobile);
        if (isSame && isNumberKept) return { userId, registrationId: old.id };
        const form = { ...signUpFormOf(old), ...number, email };
        const { account, isNewAccount } = await findOrCreate(transaction, form);
        const attempt = { form, visit, ownerOf: null, mayDisclose };
        const moved = await resolveRegistration(transaction, account, attempt);
        if (moved.userActivationMode !== 'VERIFY_OTP') throw new AppError('EMAIL_IN_USE');
        if (moved.id !== old.id) await discardForm(transaction, old, moved.id);
        const event = { kind: 'signUp.addressChanged', userId: moved.userId } as const;
        await audit({ ...event, visitId: visit.id, ip, details: { isNewAccount } }, transaction);
        return { userId: moved.userId, registrationId: moved.id };
      });
    },

    /** Returns whether the address has an account with a password; a suspended one answers as an active one (PRF-09). */
    async isKnown(email: string): Promise<boolean> {
      const account = await findAccountByEmail(db, email);
      return account !== undefined && account.status !== 'pending';
    },
  };

  /**
   * Checks a form as far as possible without reading an account.
   * @throws AppError
   */
  async function validateRequest(input: SignUp, ip: string) {
    await rateLimits.consume([RATE_LIMITS.signUpPerIp, ip]);
    const accepted = await validateForm(input);
    if (!(await ports.subtenants.find(accepted.subtenant_id))) {
      throw new AppError('INVALID_SUBTENANT');
    }
    return accepted;
  }

  async function persist(attempt: Attempt, ip: string): Promise<SignUpAnswer> {
    const { form, visit } = attempt;
    const answer = await db.transaction().execute(async (transaction) => {
      const { account, isNewAccount } = await findOrCreate(transaction, form);
      const answered = await resolveRegistration(transaction, account, attempt);
      const { userActivationMode: mode } = answered;
      const details = { mode, subtenantId: form.subtenant_id, isNewAccount };
      const event = { kind: 'signUp.created', userId: account.id, visitId: visit.id, ip } as const;
      await audit({ ...event, details }, transaction);
      return answered;
    });
    outbox.wake();
    return answer;
  }

  /** Locks the account, so that parallel sign-ups of one address run one after another. */
  async function findOrCreate(transaction: Db, form: SignUpForm) {
    for (let n = 0; n < 2; n += 1) {
      const made = await insertAccounts(transaction, [
        { ...ownDataOf(form), created_at: clock.now() },
      ]);
      const account = await lockAccountByEmail(transaction, form.email);
      if (account) return { account, isNewAccount: made.length > 0 };
      // Deleted between the two statements, or its address moved to another row: tried again.
    }
    throw new AppError('UNAVAILABLE');
  }

  type Attempt = {
    readonly form: SignUpForm;
    readonly visit: Visit;
    /** The account that the visitor has shown to own. */
    readonly ownerOf: number | null;
    /** Whether the answer may disclose that the address is taken. */
    readonly mayDisclose: boolean;
  };

  async function resolveRegistration(
    transaction: Db,
    account: Account,
    attempt: Attempt,
  ): Promise<SignUpAnswer> {
    const { promo_code: promo } = attempt.form;
    if (promo !== null && !(await ports.promoCodes.isUsable(transaction, promo))) {
      throw new AppError('INVALID_PROMO');
    }
    if (account.status === 'pending') return awaitVerification(transaction, account, attempt);
    const { form, visit, ownerOf, mayDisclose } = attempt;
    const has = await hasRole(transaction, account.id, form.role_id);
    // A double click or a retry gets the answer of the form that added the role.
    const mapped =
      has &&
      (await mappedForms(transaction, account.id, clock.now())
        .where('visit_id', '=', visit.id)
        .where('role_id', '=', form.role_id)
        .executeTakeFirst());
    if (mapped) return { userId: account.id, id: mapped.id, userActivationMode: 'ROLE_MAPPED' };
    const { keptBy } = await waysOf(transaction, account.id);
    const isOwner = ownerOf === account.id && account.status === 'active';
    if (isOwner && !has && keptBy === null) return mapRole(transaction, account, attempt);
    const isOpen = account.status === 'active' && !isOwner;
    const canProve = isOpen && (!has || isProvenByPhoneAlone(account));
    // The page answers as for any address; the mail informs the owner (decision 058).
    if (canProve || !mayDisclose) {
      const standIn = await ensureStandIn(transaction, account, ownDataOf(form));
      return awaitVerification(transaction, standIn, attempt);
    }
    // The answer has made-up ids: the account is not the visitor's own.
    return { userId: newAccountId(), id: randomId(), userActivationMode: 'ACTIVATE_USER' };
  }

  /** Adds the role: the visitor is signed in as the owner, or knows the password. */
  async function mapRole(transaction: Db, account: Account, attempt: Attempt) {
    const { role_id: roleId, subtenant_id: subtenantId } = attempt.form;
    await ports.addRole(transaction, account, { roleId, subtenantId });
    const form = { ...attempt.form, password_hash: null };
    return save(transaction, account, { ...attempt, form }, 'ROLE_MAPPED');
  }

  /** Saves the form until a code proves its address. */
  async function awaitVerification(transaction: Db, account: Account, attempt: Attempt) {
    // The password was right a moment ago, and the account has changed since: the visitor tries again.
    if (attempt.form.password_hash === null) throw new AppError('UNAVAILABLE');
    return save(transaction, account, attempt, 'VERIFY_OTP');
  }

  async function save(
    transaction: Db,
    { id: userId }: Account,
    { form, visit, mayDisclose }: Attempt,
    mode: ActivationMode,
  ): Promise<SignUpAnswer> {
    // A form that is proven only by mail does not show whether its number was stored (LIM-08).
    const owner = { userId, visitId: visit.id, mode, isByMailOnly: !mayDisclose };
    const id = await saveForm(transaction, form, owner, clock.now());
    return { userId, id, userActivationMode: mode };
  }
}
