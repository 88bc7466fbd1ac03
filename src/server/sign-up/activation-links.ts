import { sql } from 'kysely';
import { type ActivationLink, activationQuery } from '#domain/proofs/activation-link.ts';
import { maskEmail, maskPhone, OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { deleteUnproven } from '../accounts/account-changes.ts';
import { isProvenByPhoneAlone } from '../accounts/proven-contacts.ts';
import { openRegistrations, subjectOfForm } from '../accounts/registration-store.ts';
import { later } from '../core/clock.ts';
import type { Db } from '../db/database.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../core/context.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { hashToken, randomId, randomToken } from '../crypto/secret-box.ts';
import type { ActivationProof } from '#domain/flow/visit.ts';
import type { insertOtp } from '../proofs/otp/otp-store.ts';

const VISIT_LIFE_MS = 15 * MINUTE_MS;

/** A filled-in sign-up form, and the account that it is for. */
type Form = { readonly id: string; readonly userId: number };

type RefusedLink = { readonly kind: 'invalid' | 'expired' | 'done' };

type Ports = {
  readonly insertOtp: typeof insertOtp;
  /** Ends the hosted login's sessions and tokens of an account. */
  readonly endProviderSessions: (userId: number) => Promise<void>;
};

export type ActivationLinks = ReturnType<typeof createActivationLinks>;
export type LinkVerdict = Awaited<ReturnType<ActivationLinks['validate']>>;

/** Creates the service of activation links. */
export function createActivationLinks(context: ServerContext, ports: Ports) {
  const { db, clock, config, rateLimits, audit } = context;
  const mailed = { visitId: null, lifeMs: config.timers.activationLinkMs };

  /** Selects open forms: the visit's own first, then an invitation; a stranger's comes last (security D27). */
  function openForms(source: Db, visit: Visit) {
    return openRegistrations(source)
      .select([
        'registrations.id',
        'registrations.email',
        'registrations.first_name',
        'registrations.subtenant_id',
        'users.id as userId',
        'users.sign_up_platform',
      ])
      .orderBy(
        sql`case when registrations.visit_id = ${visit.id} then 0 when registrations.visit_id is null then 1 else 2 end`,
      )
      .orderBy('registrations.created_at', 'desc');
  }

  async function write(
    source: Db,
    { id: registrationId, userId }: Form,
    platform: number,
    bound: { readonly visitId: string | null; readonly lifeMs: number },
  ): Promise<string> {
    const now = clock.now();
    const key = randomToken();
    await source
      .insertInto('activation_links')
      .values({
        id: randomId(),
        key_hash: hashToken(key),
        user_id: userId,
        registration_id: registrationId,
        visit_id: bound.visitId,
        created_at: now,
        expires_at: later(now, bound.lifeMs),
      })
      .execute();
    const query = activationQuery({ key, registrationId, userId, platform });
    return `${config.publicUrl}/account/Activation?${query}`;
  }

  type Found = NonNullable<Awaited<ReturnType<typeof find>>>;

  /** A text activated the account with this very form: the link can still prove or reject the mailbox. */
  const isMailOpen = (found: Found) => found.activated_at !== null && isProvenByPhoneAlone(found);
  const isDone = (found: Found) =>
    found.completed_at !== null && found.status === 'active' && !isMailOpen(found);
  const isOver = (found: Found) =>
    found.expires_at <= clock.now() || !(found.status === 'pending' || isMailOpen(found));

  async function refuse(visit: Visit, ip: string): Promise<void> {
    await rateLimits.isWithin([RATE_LIMITS.wrongLinkPerIp, ip]);
    await audit({ kind: 'activation.invalidLink', visitId: visit.id, ip });
  }

  /** Returns a mailed link; one that this visit requested itself proves nothing. */
  async function findMailed(link: ActivationLink, visit: Visit, ip: string) {
    await rateLimits.check([RATE_LIMITS.wrongLinkPerIp, ip]);
    const found = await find(link, visit);
    if (found?.visit_id === null) return found;
    await refuse(visit, ip);
    return null;
  }

  async function find({ key, registrationId, userId, platform }: ActivationLink, visit: Visit) {
    return (
      db
        .selectFrom('activation_links')
        .innerJoin('registrations', 'registrations.id', 'activation_links.registration_id')
        // The account of the form; the link names the row that the form began with.
        .innerJoin('users', 'users.id', 'registrations.user_id')
        .select([
          'activation_links.id as linkId',
          'activation_links.visit_id',
          'activation_links.expires_at',
          'registrations.completed_at',
          'registrations.activated_at',
          'registrations.user_id as accountId',
          'registrations.subtenant_id',
          'registrations.email',
          'registrations.dial_code',
          'registrations.mobile',
          'users.status',
          'users.email_proven_at',
          'users.phone_proven_at',
        ])
        .where('activation_links.key_hash', '=', hashToken(key))
        .where('activation_links.registration_id', '=', registrationId)
        .where('activation_links.user_id', '=', userId)
        .where('users.sign_up_platform', '=', platform)
        .where((eb) =>
          eb.or([
            eb('activation_links.visit_id', 'is', null),
            eb('activation_links.visit_id', '=', visit.id),
          ]),
        )
        .executeTakeFirst()
    );
  }

  return {
    /** Creates a link for a mail, in the mail's transaction; it works on any device. */
    forMail: (source: Db, registration: Form, platform: number) =>
      write(source, registration, platform, mailed),

    /** Creates a link that finishes a sign-up, for a mail; returns `null` when there is no open form. */
    async forPending(source: Db, userId: number, visit: Visit) {
      const form = await openForms(source, visit).where('users.id', '=', userId).executeTakeFirst();
      if (!form) return null;
      const { email, first_name: firstName, subtenant_id: subtenantId } = form;
      const url = await write(source, form, form.sign_up_platform, mailed);
      return { url, email, firstName, subtenantId };
    },

    /**
     * Creates the link of 'Verify here.' for this browser only; it proves nothing. Returns `null` when the visit has no
     * pending account.
     */
    async forVisit(visit: Visit): Promise<string | null> {
      const row = await openForms(db, visit)
        .innerJoin('visits', 'visits.unverified_user_id', 'users.id')
        .where('visits.id', '=', visit.id)
        .executeTakeFirst();
      if (!row) return null;
      await rateLimits.consume([RATE_LIMITS.verifyLinkPerAccount, String(row.userId)]);
      return write(db, row, row.sign_up_platform, { visitId: visit.id, lifeMs: VISIT_LIFE_MS });
    },

    /** Creates a link for a program to pass on, for the open form; returns `null` when the account waits for no proof. */
    async ticket(userId: number, lifeMs: number): Promise<string | null> {
      const row = await db
        .selectFrom('registrations')
        .innerJoin('users', 'users.id', 'registrations.user_id')
        .select(['registrations.id', 'users.id as userId', 'users.sign_up_platform'])
        .where('users.id', '=', userId)
        .where('users.email_proven_at', 'is', null)
        .where((eb) =>
          eb.or([
            eb.and([eb('users.status', '=', 'pending'), eb('completed_at', 'is', null)]),
            // Only a text has activated it: the mailbox is unproven.
            eb.and([
              eb('users.status', '=', 'active'),
              eb('registrations.activated_at', 'is not', null),
            ]),
          ]),
        )
        .orderBy('registrations.created_at', 'desc')
        .executeTakeFirst();
      return row ? write(db, row, row.sign_up_platform, { visitId: null, lifeMs }) : null;
    },

    /** Checks a link without using it up (SRV-15). The visit remembers a valid one. */
    async validate(link: ActivationLink, visit: Visit, ip: string) {
      await rateLimits.check([RATE_LIMITS.wrongLinkPerIp, ip]);
      const found = await find(link, visit);
      if (!found) {
        await refuse(visit, ip);
        return { kind: 'invalid' } as const;
      }
      const isFinished = isDone(found);
      if (!isFinished && isOver(found)) return { kind: 'expired' } as const;
      if (!isFinished) {
        const now = clock.now();
        await db
          .insertInto('activation_visits')
          .values({ link_id: found.linkId, visit_id: visit.id, opened_at: now })
          .onConflict((conflict) =>
            conflict.columns(['link_id', 'visit_id']).doUpdateSet({ opened_at: now }),
          )
          .execute();
      }
      return {
        kind: 'valid' as const,
        /** The account is active already: a used link shows success, not an error (SRV-15). */
        isDone: isFinished,
        /** The link came by mail: its button proves the address as the OTP would (decision 059). */
        canConfirm: found.visit_id === null,
        /** No account is active yet: a code to the form's contacts is an alternative (ACT-03). */
        canSendOtp: found.status === 'pending',
        linkId: found.linkId,
        userId: link.userId,
        subtenantId: found.subtenant_id,
        phone: maskPhone(found.mobile),
        email: maskEmail(found.email),
      };
    },

    /** Confirms a mailed link: proves what its OTP would, for this visit and the mail's form. */
    async confirm(
      link: ActivationLink,
      visit: Visit,
      ip: string,
    ): Promise<ActivationProof | RefusedLink> {
      const found = await findMailed(link, visit, ip);
      if (!found) return { kind: 'invalid' };
      if (isDone(found)) return { kind: 'done' };
      if (isOver(found)) return { kind: 'expired' };
      const { userId, registrationId, platform } = link;
      const now = clock.now();
      // This browser no longer needs the digits that it waits for.
      await db
        .updateTable('otp_codes')
        .set({ closed_at: now })
        .where('registration_id', '=', registrationId)
        .where('visit_id', '=', visit.id)
        .where('verified_at', 'is', null)
        .where('closed_at', 'is', null)
        .execute();
      // As if the mail's OTP had been entered.
      const otpId = await ports.insertOtp(db, {
        visit_id: visit.id,
        user_id: userId,
        registration_id: registrationId,
        sign_in_id: null,
        type: 'USER_ACTIVATION',
        subject: subjectOfForm({ ...found, id: registrationId }),
        medium: OTP_MEDIUM.email,
        sent_at: now,
        expires_at: now,
        verified_at: now,
        proven: 'email',
      });
      await audit({ kind: 'activation.linkConfirmed', userId, visitId: visit.id, ip });
      // The press proved the mailbox: password managers keep its address as the name to sign in by.
      return { otpId, userId, registrationId, signUpPlatform: platform, email: found.email };
    },

    /**
     * Handles "I did not sign up": deletes the form with its OTPs and links, and an account that only a text has
     * activated.
     */
    async reject(link: ActivationLink, visit: Visit, ip: string): Promise<boolean> {
      const found = await findMailed(link, visit, ip);
      if (!found || isDone(found)) return false;
      const { registrationId, userId } = link;
      await audit({ kind: 'activation.rejected', userId, visitId: visit.id, ip });
      if (isMailOpen(found)) {
        const isGone = await deleteUnproven(db, found.accountId);
        if (isGone) await ports.endProviderSessions(found.accountId);
        return isGone;
      }
      const gone = await db
        .deleteFrom('registrations')
        .where('id', '=', registrationId)
        .where('completed_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      return gone !== undefined;
    },
  };
}
