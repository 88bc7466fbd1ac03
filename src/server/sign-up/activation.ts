import type { EventKind } from '#locales/operator/events.ts';
import { type Contact, maskEmail } from '#domain/proofs/otp.ts';
import { isPasswordAcceptable } from '#domain/proofs/password-policy.ts';
import { isAcademy } from '#domain/people/subtenants.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import { activateAccount } from '../accounts/account-changes.ts';
import {
  type Account,
  findAccount,
  grantRoles,
  lockAccount,
  personalDataOf,
} from '../accounts/account-store.ts';
import { waysOf } from '../accounts/organisation-links.ts';
import { isReserved } from '../accounts/contact-changes.ts';
import {
  endForms,
  isProvenByPhoneAlone,
  moveToNewAccount,
  recordMailRead,
  releaseAddress,
} from '../accounts/proven-contacts.ts';
import {
  activationProofs,
  closeOtps,
  findRegistration,
  moveSurveyAnswers,
  type Registration,
  subjectOfForm,
} from '../accounts/registration-store.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { Otp } from '../proofs/otp/otp-store.ts';
import type { ServerContext } from '../core/context.ts';
import type { Claim, Ports } from './activation-ports.ts';

/** An account became a decoy while this transaction waited for its lock: its owner has to be locked first. */
const MOVED = 'moved';
const TRIES = 3;

export type Activation = ReturnType<typeof createActivation>;

/** Creates the activation of accounts. */
export function createActivation(context: ServerContext, ports: Ports) {
  const { db, clock, audit, outbox } = context;

  const proofsOf = (source: Db, visit: Visit) => activationProofs(source, visit.id, clock.now());

  /** Returns the proven form; read before a password is hashed, so that a stranger causes no hashing (security R2). */
  async function provenForm(claim: Claim, visit: Visit): Promise<Registration> {
    const form = await proofsOf(db, visit)
      .innerJoin('registrations', 'registrations.id', 'otp_codes.registration_id')
      .selectAll('registrations')
      .where('otp_codes.id', '=', claim.otpId)
      .where('otp_codes.user_id', '=', claim.userId)
      .executeTakeFirst();
    if (!form) throw new AppError('FORBIDDEN');
    return form;
  }

  /** @throws AppError FORBIDDEN, BAD_REQUEST, PASSWORD_GUESSABLE */
  async function hashTyped(typed: string, claim: Claim, visit: Visit): Promise<string> {
    if (!isPasswordAcceptable(typed)) throw new AppError('BAD_REQUEST');
    const form = await provenForm(claim, visit);
    if (await ports.isGuessable(typed, form)) throw new AppError('PASSWORD_GUESSABLE');
    return ports.hashing.hash(typed);
  }

  /** Asked only without a password of our own, and only about an address that this visit has proven. */
  async function isPasswordKnownThere(claim: Claim, visit: Visit): Promise<boolean> {
    const row = await proofsOf(db, visit)
      .innerJoin('users', 'users.id', 'otp_codes.user_id')
      .innerJoin('registrations', 'registrations.id', 'otp_codes.registration_id')
      .select('registrations.email')
      .where('otp_codes.id', '=', claim.otpId)
      .where('users.password_hash', 'is', null)
      .where('registrations.password_hash', 'is', null)
      .executeTakeFirst();
    return row !== undefined && ports.providerAccounts.hasPassword(row.email);
  }

  return {
    /** Returns whether the account whose address this visit has just proven has a password (security D15). */
    async isAuthUser(email: string, visit: Visit): Promise<boolean> {
      const proven = await proofsOf(db, visit)
        .innerJoin('registrations', 'registrations.id', 'otp_codes.registration_id')
        .select(['registrations.email', 'registrations.user_id'])
        .where('otp_codes.closed_at', 'is', null)
        .execute();
      const asked = canonicalEmail(email);
      // A visitor from a link knows only the masked address.
      const own = proven.find((row) =>
        [canonicalEmail(row.email), maskEmail(row.email)].includes(asked),
      );
      if (!own) return false;
      const account = await findAccount(db, own.user_id);
      const owner = account?.shadow_of ? await findAccount(db, account.shadow_of) : account;
      // A takeover of an address needs a password.
      if (account?.shadow_of && owner && isProvenByPhoneAlone(owner)) return false;
      return Boolean(owner?.password_hash) || ports.providerAccounts.hasPassword(own.email);
    },

    /**
     * Uses a right OTP once: activates the account, takes its address over, or adds the role to it.
     * @returns the proven contact
     * @throws AppError FORBIDDEN, BAD_REQUEST, PASSWORD_GUESSABLE
     */
    async activate(claim: Claim, visit: Visit, ip: string): Promise<Contact | null> {
      const typed = claim.password;
      const typedHash = typed === null ? null : await hashTyped(typed, claim, visit);
      const isPasswordThere = typed === null && (await isPasswordKnownThere(claim, visit));
      for (let n = 0; n < TRIES; n += 1) {
        const used = await db
          .transaction()
          .execute((transaction) =>
            use(transaction, claim, { visit, ip, typedHash, isPasswordThere }),
          );
        if (used === MOVED) continue;
        if (used.endedUserId !== null) await ports.endProviderSessions(used.endedUserId);
        await ports.passwordCheck.resetFailures(used.email, { ip });
        outbox.wake();
        return used.proven;
      }
      throw new AppError('UNAVAILABLE');
    },
  };

  type Given = {
    readonly visit: Visit;
    readonly ip: string;
    readonly typedHash: string | null;
    readonly isPasswordThere: boolean;
  };

  /** Locks in the same order as sign-ups: the owner of an address before its pending rows. */
  async function lockBoth(transaction: Db, userId: number) {
    const seen = await findAccount(transaction, userId);
    const owner = seen?.shadow_of ? await lockAccount(transaction, seen.shadow_of) : undefined;
    const account = await lockAccount(transaction, userId);
    if (account && account.shadow_of !== seen?.shadow_of) return MOVED;
    return { account, owner };
  }

  /** @returns the proven contact, its address, and the account whose access ended */
  async function use(transaction: Db, claim: Claim, given: Given) {
    const { visit, ip } = given;
    const locked = await lockBoth(transaction, claim.userId);
    if (locked === MOVED) return MOVED;
    const { account, owner } = locked;
    const { proof, registration } = await provenBy(transaction, claim, visit);
    if (!account) throw new AppError('FORBIDDEN');
    const { proven } = proof;
    const { email } = registration;
    if (registration.activated_at) {
      const isEnd = await proveLate(transaction, registration, proof, visit);
      return { proven, email, endedUserId: isEnd ? registration.user_id : null };
    }
    // Closed by an operator, or another form of this address was proven first.
    if (account.status !== 'pending' || registration.completed_at) throw new AppError('FORBIDDEN');
    const note = (kind: EventKind, userId: number) =>
      audit({ kind, userId, visitId: visit.id, ip, details: { proven } }, transaction);
    const form = { registration, proof, ...given };
    if (account.shadow_of === null) {
      const id = await activateOwn(transaction, account, form);
      await note('account.activated', id);
      return { proven, email, endedUserId: null };
    }
    // The address has an active account: the proof needs its mailbox, and a decoy cannot be activated.
    if (owner?.status !== 'active' || proven !== 'email') throw new AppError('FORBIDDEN');
    if (isProvenByPhoneAlone(owner)) {
      await releaseAddress(transaction, owner, account);
      await complete(transaction, account, form);
      await endForms(transaction, account.id, clock.now());
      await note('account.takenOver', owner.id);
      await note('account.activated', account.id);
      return { proven, email, endedUserId: owner.id };
    }
    // Only sent and entered digits add a role: neither a decoy's code nor a link's button.
    if (proof.code_hmac === '') throw new AppError('FORBIDDEN');
    if ((await waysOf(transaction, owner.id)).keptBy !== null) throw new AppError('FORBIDDEN');
    await addRole(transaction, owner, registration);
    await note('account.roleAdded', owner.id);
    return { proven, email, endedUserId: null };
  }

  /** Returns a code that this visit has proven, with its form. @throws AppError FORBIDDEN */
  async function provenBy(transaction: Db, claim: Claim, visit: Visit) {
    const proof = await proofsOf(transaction, visit)
      .selectAll('otp_codes')
      .where('otp_codes.id', '=', claim.otpId)
      .where('otp_codes.user_id', '=', claim.userId)
      .executeTakeFirst();
    const registration = await findRegistration(transaction, proof?.registration_id ?? '');
    if (!proof || !registration) throw new AppError('FORBIDDEN');
    // The form has another number by now than the one that the code went to.
    const isOfForm = proof.subject === null || proof.subject === subjectOfForm(registration);
    const isClaimed = claim.registrationId === null || claim.registrationId === registration.id;
    if (!isOfForm || !isClaimed) throw new AppError('FORBIDDEN');
    return { proof, registration };
  }

  /** @returns the id of the active account @throws AppError EMAIL_IN_USE */
  async function activateOwn(transaction: Db, account: Account, form: Form): Promise<number> {
    if (await isReserved(transaction, form.registration.email, account.id, clock.now())) {
      throw new AppError('EMAIL_IN_USE');
    }
    const isByPhone = form.proof.proven === 'phone';
    const activated = isByPhone ? await moveToNewAccount(transaction, account) : account;
    await complete(transaction, activated, form);
    if (!isByPhone) await endForms(transaction, activated.id, clock.now());
    return activated.id;
  }

  /**
   * Handles a double click or a lost answer: the account that this form activated stays active. A mailed link that is
   * confirmed after a text activated the account proves the mailbox as well.
   * @returns whether all access to the account ended
   */
  async function proveLate(
    transaction: Db,
    { user_id: userId, visit_id: formVisit }: Registration,
    { proven }: Otp,
    visit: Visit,
  ): Promise<boolean> {
    const account = await lockAccount(transaction, userId);
    if (proven !== 'email' || !account || !isProvenByPhoneAlone(account)) return false;
    const now = clock.now();
    const isOwnVisit = formVisit === visit.id;
    if (!isOwnVisit) await ports.endAccess(transaction, userId, now);
    await recordMailRead(transaction, userId, { isPasswordKnown: isOwnVisit }, now);
    await audit({ kind: 'account.mailProven', userId, visitId: visit.id }, transaction);
    return !isOwnVisit;
  }

  async function addRole(transaction: Db, owner: Account, form: Registration): Promise<void> {
    const now = clock.now();
    await ports.addRole(transaction, owner, {
      roleId: form.role_id,
      subtenantId: form.subtenant_id,
    });
    await transaction
      .updateTable('registrations')
      .set({
        user_id: owner.id,
        mode: 'ROLE_MAPPED',
        password_hash: null,
        activated_at: now,
        completed_at: now,
      })
      .where('id', '=', form.id)
      .execute();
    await closeOtps(transaction, { registration_id: form.id }, now);
    await moveSurveyAnswers(transaction, form.id, owner.id);
  }

  type Form = Given & { readonly registration: Registration; readonly proof: Otp };

  /** Copies the proven form into the account. */
  async function complete(transaction: Db, account: Account, form: Form): Promise<void> {
    const { registration, proof, visit, typedHash, isPasswordThere } = form;
    const now = clock.now();
    const { id } = account;
    const formHash = account.password_hash ?? registration.password_hash;
    const passwordHash = formHash ?? typedHash;
    if (passwordHash === null && !isPasswordThere) throw new AppError('BAD_REQUEST');
    // An invitation has no visit; its password is chosen by the link's holder, or was set by an operator's program.
    const isPasswordKnown = formHash === null || [visit.id, null].includes(registration.visit_id);
    const activation = {
      password_hash: passwordHash,
      email_proven_at: proof.proven === 'email' ? proof.verified_at : account.email_proven_at,
      phone_proven_at: proof.proven === 'phone' ? proof.verified_at : null,
      mail_codes_only: proof.proven === 'email' && !isPasswordKnown,
    };
    await activateAccount(transaction, id, registration, activation, now);
    await grantRoles(transaction, id, [registration.role_id]);
    await transaction
      .updateTable('registrations')
      .set({ user_id: id, password_hash: null, activated_at: now, completed_at: now })
      .where('id', '=', registration.id)
      .execute();
    await closeOtps(transaction, { registration_id: registration.id }, now);
    await moveSurveyAnswers(transaction, registration.id, id);
    await ports.providerAccounts.activated(transaction, id);
    const { promo_code: promo } = registration;
    if (promo && !(await ports.promoCodes.use(transaction, promo))) {
      // Another person took the last use meanwhile; that must not stop the activation.
      await audit({ kind: 'promo.usedUp', userId: id, details: { promo } }, transaction);
    }
    if (isAcademy(registration.subtenant_id)) {
      await ports.leads.capture(transaction, personalDataOf(registration), `${id}:activated`);
    }
  }
}
