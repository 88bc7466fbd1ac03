import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { DeliveryReason } from '#domain/delivery.ts';
import {
  channelsOf,
  type Contact,
  contactOf,
  extendedExpiry,
  maskEmail,
  maskPhone,
  mediumFor,
  normalizeOtp,
  OTP_COUNTDOWN_MS,
  OTP_GRACE_MS,
  OTP_LENGTH,
  OTP_MAX_LIFE_MS,
  OTP_TRIES,
  type OtpMedium,
  remainingLife,
} from '#domain/otp.ts';
import { canonicalEmail } from '#domain/validation.ts';
import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../context.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import type { Receipt, Use } from '../abuse/rate-limits.ts';
import { randomId } from '../crypto/secret-box.ts';
import {
  closeOpenOtps,
  findOpenOtp,
  findOtp,
  insertOtp,
  lockVisit,
  type Otp,
  type OtpClaim,
} from './otp-store.ts';
import type { OtpRecipient } from './recipients.ts';

export type SentOtp = {
  readonly id: string;
  readonly medium: OtpMedium;
  readonly sentTo: { readonly email: string | null; readonly phone: string | null };
  readonly remainingMs: number;
  readonly canExtend: boolean;
};

export type Otps = {
  /** Sends an OTP, or answers with the one that is still on its way. @throws AppError */
  send(recipient: OtpRecipient, medium: OtpMedium, caller: Caller): Promise<SentOtp>;
  /** Sends a new OTP once the countdown is over. @throws AppError TOO_SOON, TOO_MANY */
  resend(recipient: OtpRecipient, medium: OtpMedium, caller: Caller): Promise<SentOtp>;
  /** Checks an OTP; @throws AppError INVALID_OTP, OTP_EXPIRED, OTP_DEAD, CONFLICT, FORBIDDEN */
  verify(claim: OtpClaim & { readonly otp: number | string }, caller: Caller): Promise<Otp>;
  /** Does for nobody's code what `verify` does for a wrong one, on rows that are not there. @throws AppError TOO_MANY */
  verifyNobody(
    lane: readonly string[],
    tried: { readonly code: string; readonly tries: number },
    ip: string,
  ): Promise<void>;
  /** "I need more time". @throws AppError OTP_LIFE_OVER */
  extend(claim: OtpClaim, visit: Visit): Promise<{ remainingMs: number; canExtend: boolean }>;
};

export type OtpPorts = {
  /** Queues the messages of an OTP, in the transaction that adds it. */
  readonly queueOtp: (
    db: Db,
    recipient: OtpRecipient,
    otp: {
      readonly id: string;
      readonly digits: Readonly<Record<Contact, string>>;
      readonly medium: OtpMedium;
      readonly expiresAt: Date;
      readonly textRefusal: DeliveryReason | null;
    },
  ) => Promise<void>;
  /** Counts one text to this number; a refusal says why none goes there now. */
  readonly takeText: (
    phone: string,
    from: { readonly ip: string; readonly isSignIn: boolean },
  ) => Promise<{ readonly refusal: DeliveryReason | null; readonly counted: Receipt }>;
  /** Whether the OTP can still arrive by one of its ways. */
  readonly isComing: (db: Db, otpId: string) => Promise<boolean>;
  /** Names a browser that has completed a sign-in with the account, `null` for a stranger. */
  readonly laneOf: (userId: number, cookieHeader: string | undefined) => Promise<string | null>;
  /** What a right OTP changes, in the transaction that accepts it; `otp.proven` says what was read. */
  readonly onVerified: (db: Db, otp: Otp) => Promise<void>;
};

/** A code that nobody was sent. */
const NOBODY = {
  id: 'none',
  visitId: '00000000-0000-0000-0000-000000000000',
  code_hmac: 'x'.repeat(43),
  phone_code_hmac: '',
} as const;

type Compared = Pick<Otp, 'id' | 'code_hmac' | 'phone_code_hmac'>;

/**
 * One-time codes (OTPs): HMAC at rest, five tries, newest only, single use, bound to visit, user and type (SRV-05).
 * The mail and the text of one step carry different digits, so that the server knows which was read (PRF-01).
 */
export function createOtps(context: ServerContext, ports: OtpPorts): Otps {
  const { db, clock, secretBox, rateLimits, audit, outbox } = context;
  const hmacOf = (id: string, digits: string) => secretBox.hmac('otp', `${id}:${digits}`);

  /** What these digits prove: `unknown` for a row of the release before, `null` when they are wrong. */
  function contactRead(otp: Compared, digits: string): Contact | 'unknown' | null {
    const isRight = (hmac: string | null) =>
      hmac !== null && secretBox.verifyHmac('otp', `${otp.id}:${digits}`, hmac);
    if (isRight(otp.code_hmac)) return otp.phone_code_hmac === null ? 'unknown' : 'email';
    return isRight(otp.phone_code_hmac) ? 'phone' : null;
  }

  type Asked = {
    readonly recipient: OtpRecipient;
    readonly medium: OtpMedium;
    readonly caller: Caller;
    /** What to say when one of this visit is on its way. */
    readonly onOpen: (open: Otp, now: Date) => SentOtp;
  };

  /** Returns the OTP of this visit that is on its way. */
  async function findComing(source: Db, recipient: OtpRecipient, { visit }: Caller) {
    const open = await findOpenOtp(source, recipient, visit.id);
    return open && (await isOnItsWay(source, open, clock.now())) ? open : null;
  }

  async function issue({ recipient, medium: asked, caller, onOpen }: Asked): Promise<SentOtp> {
    const coming = await findComing(db, recipient, caller);
    if (coming) return onOpen(coming, clock.now());
    const medium = mediumFor(asked, recipient.mailRule);
    // Counted before the sending, and given back by the code that is used: what nobody uses is what limits are for.
    const sent = await rateLimits.take(...(await usesOf(recipient, caller)));
    const hasText = channelsOf(medium).some((channel) => channel !== 'email');
    const from = { ip: caller.ip, isSignIn: isSignIn(recipient.type) };
    const text = hasText ? await ports.takeText(recipient.phone, from) : null;
    const textRefusal = text?.refusal ?? null;
    const counted = [...sent, ...(text?.counted ?? [])];
    const now = clock.now();
    const id = randomId();
    const digits = differentDigits();
    const goesTo = new Set(channelsOf(medium).map(contactOf));
    const hmacFor = (contact: Contact, isSent: boolean) =>
      isSent && recipient.decoyOf === null ? hmacOf(id, digits[contact]) : '';
    const expiresAt = later(now, OTP_COUNTDOWN_MS);
    const visitId = caller.visit.id;
    const { userId, registrationId, signInId, type } = recipient;
    const other = await db.transaction().execute(async (transaction) => {
      // One request of a visit at a time: a double click sends one message, not two.
      await lockVisit(transaction, visitId);
      const found = await findComing(transaction, recipient, caller);
      if (found) return found;
      await closeOpenOtps(transaction, recipient, visitId, now);
      await insertOtp(transaction, {
        id,
        visit_id: visitId,
        user_id: userId,
        registration_id: registrationId,
        sign_in_id: signInId,
        type,
        medium,
        code_hmac: hmacFor('email', goesTo.has('email')),
        phone_code_hmac: hmacFor('phone', goesTo.has('phone') && textRefusal === null),
        sent_at: now,
        expires_at: expiresAt,
        counted: counted.map(({ key, until }) => ({ key, until })),
      });
      const event = { kind: 'otp.sent', userId, visitId, ip: caller.ip, details: { type, medium } };
      await audit(event, transaction);
      const notice = { id, digits, medium, expiresAt, textRefusal };
      await ports.queueOtp(transaction, recipient, notice);
      return null;
    });
    if (other) {
      await rateLimits.refund(counted);
      return onOpen(other, now);
    }
    outbox.wake();
    return toSentOtp({ id, medium, sent_at: now, expires_at: expiresAt }, recipient, now);
  }

  /** An OTP that is used up, expired or undeliverable may be replaced at once, without waiting for the countdown. */
  async function isOnItsWay(source: Db, open: Otp, now: Date): Promise<boolean> {
    const isAlive = open.tries < OTP_TRIES && remainingLife(open, now) > 0;
    return isAlive && (await ports.isComing(source, open.id));
  }

  /** What a sent code counts in until it is used: its network, its browser, and whom it is sent to. */
  async function usesOf(
    recipient: OtpRecipient,
    { ip, visit, cookieHeader }: Caller,
  ): Promise<readonly Use[]> {
    const { registrationId: registration, userId, type } = recipient;
    const account = await laneOf({ registration, userId, type }, cookieHeader);
    const uses: Use[] = [
      [RATE_LIMITS.codePerVisit, visit.id],
      [RATE_LIMITS.codePerAccount, ...account],
      [RATE_LIMITS.codePerAccountADay, ...account],
    ];
    // Behind a right password: a crowd at one address waits for its codes at the same time.
    if (isSignIn(recipient.type)) {
      return [...uses, [RATE_LIMITS.signInCodePerIp, ip], [RATE_LIMITS.signInCodePerIpADay, ip]];
    }
    const mailbox = canonicalEmail(recipient.email);
    return [
      ...uses,
      [RATE_LIMITS.codePerIp, ip],
      [RATE_LIMITS.codePerIpADay, ip],
      [RATE_LIMITS.codePerMailbox, mailbox],
      [RATE_LIMITS.codePerMailboxADay, mailbox],
    ];
  }

  /**
   * Whose limits a code counts in. A sign-up's are those of its own form: strangers who type the same address use up
   * theirs. A sign-in's are the account's; a browser that is known to it has its own (PRF-05).
   */
  async function laneOf(
    code: { readonly registration: string | null; readonly userId: number; readonly type: string },
    cookieHeader: string | undefined,
  ): Promise<readonly string[]> {
    const { registration, userId, type } = code;
    if (registration !== null) return ['form', registration];
    const browser = isSignIn(type) ? await ports.laneOf(userId, cookieHeader) : null;
    return browser === null ? [type, String(userId)] : [type, String(userId), browser];
  }

  async function guessesOf(otp: Otp, cookieHeader: string | undefined) {
    const { registration_id: registration, user_id: userId, type } = otp;
    const lane = await laneOf({ registration, userId, type }, cookieHeader);
    const streak = [RATE_LIMITS.wrongCodePerAccount, ...lane] as const;
    const ofDay = [RATE_LIMITS.comparedCodePerAccountADay, ...lane] as const;
    // A try against two codes is two comparisons: with both, no guess has better odds in the end.
    const comparisons = Array.from({ length: comparisonsOf(otp) }, () => [streak, ofDay]).flat();
    return { streak, comparisons };
  }

  /** One statement counts the try before the OTP is compared: parallel requests never get a sixth try. */
  function countTry({ id, userId }: OtpClaim, visitId: string, now: Date) {
    return db
      .updateTable('otp_codes')
      .set({ tries: sql`tries + 1` })
      .where('id', '=', id)
      .where('visit_id', '=', visitId)
      .where('user_id', '=', userId)
      .where('closed_at', 'is', null)
      .where('verified_at', 'is', null)
      .where('tries', '<', OTP_TRIES)
      .where('expires_at', '>', later(now, -OTP_GRACE_MS))
      .returningAll()
      .executeTakeFirst();
  }

  /** Marks a right OTP as used, with all that follows. @returns `null` when somebody was faster */
  async function accept(
    { id, user_id: userId, type, medium }: Otp,
    proven: Contact | null,
    { caller, now }: { readonly caller: Caller; readonly now: Date },
  ): Promise<Otp | null> {
    const event = {
      kind: 'otp.verified',
      userId,
      visitId: caller.visit.id,
      ip: caller.ip,
      details: { proven, type, medium },
    };
    const accepted = await db.transaction().execute(async (transaction) => {
      const verified = await transaction
        .updateTable('otp_codes')
        .set({ verified_at: now, proven })
        .where('id', '=', id)
        .where('closed_at', 'is', null)
        .where('verified_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      if (!verified) return null;
      await ports.onVerified(transaction, verified);
      await audit(event, transaction);
      return verified;
    });
    if (accepted) outbox.wake();
    return accepted;
  }

  async function undoTry(id: string): Promise<void> {
    await db
      .updateTable('otp_codes')
      .set({ tries: sql`tries - 1` })
      .where('id', '=', id)
      .execute();
  }

  async function explain(claim: OtpClaim, visit: Visit, digits: string): Promise<Otp> {
    const otp = await findOtp(db, claim, visit.id);
    if (!otp) throw new AppError('FORBIDDEN');
    // Enter pressed three times: the same right OTP gets the same answer until it is used or has expired.
    const isStillGood = otp.verified_at && !otp.closed_at && isInTime(otp, clock.now());
    if (isStillGood && contactRead(otp, digits)) return otp;
    // It was right once and is used up: another tab was faster.
    if (otp.verified_at && otp.closed_at) throw new AppError('CONFLICT');
    if (otp.tries >= OTP_TRIES) throw new AppError('OTP_DEAD');
    throw new AppError('OTP_EXPIRED');
  }

  return {
    send(recipient, medium, caller) {
      const onOpen = (open: Otp, at: Date) =>
        toSentOtp({ ...open, medium: open.medium as OtpMedium }, recipient, at);
      return issue({ recipient, medium, caller, onOpen });
    },

    resend(recipient, medium, caller) {
      const onOpen = (open: Otp, at: Date): never => {
        throw new AppError('TOO_SOON', { retryAfterMs: open.expires_at.getTime() - at.getTime() });
      };
      return issue({ recipient, medium, caller, onOpen });
    },

    async verify({ id, userId, otp: typed }, caller) {
      const { visit, ip } = caller;
      const digits = normalizeOtp(typed) ?? '';
      const now = clock.now();
      const otp = await countTry({ id, userId }, visit.id, now);
      if (!otp) return explain({ id, userId }, visit, digits);
      const { streak, comparisons } = await guessesOf(otp, caller.cookieHeader);
      try {
        // Before comparing, too: codes of one account that are tried side by side share one count.
        await rateLimits.take(...comparisons);
      } catch (error) {
        await undoTry(id);
        throw error;
      }

      const read = contactRead(otp, digits);
      if (read === null) {
        await audit({
          kind: 'otp.wrong',
          userId,
          visitId: visit.id,
          ip,
          details: { tries: otp.tries },
        });
        throw new AppError(otp.tries >= OTP_TRIES ? 'OTP_DEAD' : 'INVALID_OTP');
      }
      const accepted = await accept(otp, read === 'unknown' ? null : read, { caller, now }).catch(
        async (error: unknown) => {
          await rateLimits.giveBack(...comparisons);
          throw error;
        },
      );
      // Wrong ones in a row end here; those of the day stay counted, whoever typed them.
      await rateLimits.settle({
        giveBack: comparisons,
        ...(accepted && { refund: otp.counted, clear: [streak] }),
      });
      // The same OTP twice at once, or a newer one sent meanwhile.
      return accepted ?? explain({ id, userId }, visit, digits);
    },

    async verifyNobody(lane, { code, tries }, ip) {
      await countTry({ id: NOBODY.id, userId: 0 }, NOBODY.visitId, clock.now());
      try {
        await rateLimits.take(
          [RATE_LIMITS.wrongCodePerAccount, ...lane],
          [RATE_LIMITS.comparedCodePerAccountADay, ...lane],
        );
      } catch (error) {
        await undoTry(NOBODY.id);
        throw error;
      }
      contactRead(NOBODY, normalizeOtp(code) ?? '');
      await audit({ kind: 'otp.wrong', ip, details: { tries } });
    },

    async extend({ id, userId }, visit) {
      const now = clock.now();
      const otp = await findOtp(db, { id, userId }, visit.id);
      const isOpen = otp && otp.closed_at === null && otp.verified_at === null;
      if (!isOpen) throw new AppError('FORBIDDEN');
      if (otp.expires_at <= now) throw new AppError('OTP_LIFE_OVER');
      const sentAt = otp.sent_at.getTime();
      const expiry = extendedExpiry(sentAt, otp.expires_at.getTime());
      await db
        .updateTable('otp_codes')
        .set({ expires_at: new Date(expiry) })
        .where('id', '=', id)
        .execute();
      return {
        remainingMs: expiry - now.getTime(),
        canExtend: expiry < sentAt + OTP_MAX_LIFE_MS,
      };
    },
  };
}

/** Six digits for the mail and six others for the text. */
function differentDigits(): Readonly<Record<Contact, string>> {
  const random = () => String(randomInt(0, 10 ** OTP_LENGTH)).padStart(OTP_LENGTH, '0');
  const email = random();
  for (;;) {
    const phone = random();
    if (phone !== email) return { email, phone };
  }
}

/** How many codes a typed one was compared with. One that was never sent costs the same as one. */
function comparisonsOf(otp: Otp): number {
  const live = [otp.code_hmac, otp.phone_code_hmac].filter(Boolean).length;
  return Math.max(1, live);
}

/** Sent behind a right password; the others anybody can ask for by an address, so they count apart. */
const isSignIn = (type: string) => type === 'TWOFACTORAUTHENTICATION';

function isInTime(otp: { readonly expires_at: Date }, now: Date): boolean {
  return otp.expires_at > later(now, -OTP_GRACE_MS);
}

/** What a browser may know of an OTP: where it went, masked, and how long it lives. */
export function toSentOtp(
  otp: {
    readonly id: string;
    readonly medium: OtpMedium;
    readonly sent_at: Date;
    readonly expires_at: Date;
  },
  recipient: Pick<OtpRecipient, 'email' | 'phone'>,
  now: Date,
): SentOtp {
  const channels = channelsOf(otp.medium);
  return {
    id: otp.id,
    medium: otp.medium,
    sentTo: {
      email: channels.includes('email') ? maskEmail(recipient.email) : null,
      phone: channels.some((channel) => channel !== 'email') ? maskPhone(recipient.phone) : null,
    },
    remainingMs: remainingLife(otp, now),
    canExtend: otp.expires_at.getTime() < otp.sent_at.getTime() + OTP_MAX_LIFE_MS,
  };
}
