import type {
  OneTimeCodes,
  OneTimeCodeVerdict,
  PasswordlessStart,
  SentOneTimeCode,
  Visitor,
} from '#openid-provider/ports.ts';
import type { ChallengeRecord } from '#openid-provider/store-port.ts';
import {
  OTP_COUNTDOWN_MS,
  OTP_GRACE_MS,
  OTP_MEDIUM,
  OTP_TRIES,
  type OtpMedium,
  type OtpType,
} from '#domain/proofs/otp.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { findAccountByEmail, findActiveAccount } from '../../accounts/account-store.ts';
import { contactsThatOpen, mailRuleOf } from '../../accounts/proven-contacts.ts';
import { later } from '../../core/clock.ts';
import { randomId } from '../../crypto/secret-box.ts';
import { AppError } from '../../http/app-error.ts';
import { insertVisit, type Visit } from '../../http/visit-cookie.ts';
import type { ServerContext } from '../../core/context.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import type { Otps } from '../../proofs/otp/otp-ports.ts';
import type { otpRecipientOf } from '../../proofs/otp/recipients.ts';
import { createProviderStore } from './provider-store.ts';

const PASSWORDLESS_JOB = 'passwordless';
const PASSWORDLESS_LIFE_MS = 10 * MINUTE_MS;
/** The handle of a code that was never sent. */
const NO_CODE = '00000000-0000-0000-0000-000000000000.none';
/** The hash of no challenge. */
const NO_HASH = '';
const MEDIA = { email: 3, sms: 1 } as const satisfies Record<string, OtpMedium>;

/**
 * Creates the provider's port `OneTimeCodes` over the portal's one-time codes. Each code belongs to a visit; these
 * callers have no visit cookie, so the mfa_token, or the same client with the same contact, takes its place.
 */
export function createOneTimeCodes(
  { db, clock, rateLimits, audit, outbox }: ServerContext,
  otps: Pick<Otps, 'send' | 'verify' | 'dummyVerify'>,
  recipientOf: typeof otpRecipientOf,
): OneTimeCodes {
  const { challenges: store } = createProviderStore(db);

  async function send(
    accountId: string,
    type: OtpType,
    medium: OtpMedium,
    handle: string | null,
    { ip }: Pick<Visitor, 'ip'>,
  ): Promise<SentOneTimeCode> {
    const userId = Number(accountId);
    const account = await findActiveAccount(db, userId);
    if (!account) return { kind: 'blocked', retryAfterSeconds: 1 };
    const visit = handle
      ? visitOf(partsOf(handle).visitId)
      : (await insertVisit(db, clock.now())).visit;
    const recipient = recipientOf(account, {
      type,
      subject: visit.id,
      mailRule: mailRuleOf(account),
      asksApp: type === 'TWOFACTORAUTHENTICATION' && account.hasAppCode,
    });
    try {
      const { id, medium: sent } = await otps.send(recipient, medium, { visit, ip });
      return { kind: 'sent', handle: `${visit.id}.${id}`, isOfApp: sent === OTP_MEDIUM.app };
    } catch (error) {
      return blocked(error);
    }
  }

  const usesApp = async (accountId: string) =>
    (await findActiveAccount(db, Number(accountId)))?.hasAppCode ?? false;

  /** Returns the account that a code to this contact alone may sign in (PRF-27). */
  async function findByContact({ channel, contact }: PasswordlessStart): Promise<string | null> {
    const isMail = channel === 'email';
    const account = await (isMail ? findAccountByEmail(db, contact) : findByPhone(contact));
    const opens = account && (await contactsThatOpen(db, account.id, clock.now()));
    return opens?.has(isMail ? 'email' : 'phone') ? String(account?.id) : null;
  }

  /** Returns the account that has proven this number. A number that two accounts have proven identifies neither. */
  async function findByPhone(phone: string): Promise<{ readonly id: number } | undefined> {
    const rows = await db
      .selectFrom('users')
      .select('id')
      .where('status', '=', 'active')
      .where('phone_proven_at', 'is not', null)
      .where((eb) => eb(eb.fn<string>('concat', ['dial_code', 'mobile']), '=', phone))
      .limit(2)
      .execute();
    return rows.length === 1 ? rows[0] : undefined;
  }

  function isOver({ sentAt }: ChallengeRecord['details'], graceMs: number): boolean {
    if (sentAt === undefined) return false;
    return later(new Date(sentAt), OTP_COUNTDOWN_MS + graceMs) <= clock.now();
  }

  /** Returns the next state of a made-up code, which lives and expires like a sent one. */
  function decoyAfter(before: ChallengeRecord | null): ChallengeRecord['details'] {
    const { details } = before ?? {};
    const isAlive =
      details?.sentAt && Number(details.tries ?? 0) < OTP_TRIES && !isOver(details, 0);
    return isAlive ? details : { sentAt: clock.now().toISOString() };
  }

  outbox.define({
    kind: PASSWORDLESS_JOB,
    async deliver(payload) {
      const { ip, ...start } = payload as PasswordlessStart & { readonly ip: string };
      const { hash, clientId, channel } = start;
      const found = await store.find(hash);
      const before = found && found.expiresAt > clock.now() ? found : null;
      const accountId = await findByContact(start);
      const handle = before?.accountId === accountId ? before.handle : null;
      // A type of its own: knowing only an address must not invalidate the code of a running sign-in.
      const sent =
        accountId === null
          ? null
          : await send(accountId, 'VERIFY_CONTACT', MEDIA[channel], handle, { ip });
      await store.put({
        hash,
        clientId,
        accountId,
        handle: sent?.kind === 'sent' ? sent.handle : handle,
        details: accountId === null ? decoyAfter(before) : {},
        expiresAt: later(clock.now(), PASSWORDLESS_LIFE_MS),
      });
    },
  });

  async function dummyVerify(
    hash: string,
    tried: { readonly code: string; readonly tries: number },
    { ip }: Pick<Visitor, 'ip'>,
  ): Promise<OneTimeCodeVerdict> {
    try {
      await otps.dummyVerify(['VERIFY_CONTACT', 'nobody', hash], tried, ip);
      return { kind: 'wrong' };
    } catch (error) {
      return blocked(error);
    }
  }

  const codes: OneTimeCodes = {
    usesApp,

    sendSecondFactor: (accountId, handle, visitor) =>
      send(accountId, 'TWOFACTORAUTHENTICATION', OTP_MEDIUM.both, handle, visitor),

    async startPasswordless(start, { ip }) {
      await outbox.add(db, {
        kind: PASSWORDLESS_JOB,
        payload: { ...start, ip },
        idempotencyKey: `passwordless:${randomId()}`,
        expiresAt: later(clock.now(), PASSWORDLESS_LIFE_MS),
      });
      outbox.wake();
    },

    async verifyContact({ hash, accountId, handle, details }, code, visitor) {
      const isSomebody = accountId !== null && handle !== null;
      const tries = Number(details.tries ?? 0);
      const isDead = !isSomebody && (tries >= OTP_TRIES || isOver(details, OTP_GRACE_MS));
      // A try is counted with the code, or with the challenge of an unknown contact. Both rows are read each time, and
      // one of them exists: the same statements, one write, and one comparison (decision 118).
      const counted = isSomebody || isDead ? NO_HASH : hash;
      await store.countTry(counted, 1);
      const verdict =
        isSomebody || isDead
          ? await codes.verify(accountId ?? '0', handle ?? NO_CODE, code, visitor)
          : await dummyVerify(hash, { code, tries: tries + 1 }, visitor);
      if (verdict.kind === 'blocked') await store.countTry(counted, -1);
      return verdict;
    },

    async countStart({ ip }) {
      try {
        await rateLimits.consume([RATE_LIMITS.passwordlessPerIp, ip]);
        return 0;
      } catch (error) {
        return blocked(error).retryAfterSeconds;
      }
    },

    async verify(accountId, handle, code, { ip }): Promise<OneTimeCodeVerdict> {
      const { visitId, otpId } = partsOf(handle);
      const claim = { id: otpId, userId: Number(accountId), otp: code };
      try {
        const { medium } = await otps.verify(claim, { visit: visitOf(visitId), ip });
        await audit({ kind: 'hosted.codeRight', userId: claim.userId, ip });
        return { kind: 'ok', isOfApp: medium === OTP_MEDIUM.app };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'TOO_MANY') return blocked(error);
        return { kind: error.code === 'OTP_EXPIRED' ? 'expired' : 'wrong' };
      }
    },
  };
  return codes;
}

const visitOf = (id: string): Visit => ({ id, subtenantId: null });

function partsOf(handle: string): { readonly visitId: string; readonly otpId: string } {
  const [visitId = '', otpId = ''] = handle.split('.');
  return { visitId, otpId };
}

function blocked(error: unknown) {
  if (!(error instanceof AppError) || error.code !== 'TOO_MANY') throw error;
  const retryAfterSeconds = Math.max(1, Math.ceil((error.details.retryAfterMs ?? 0) / 1000));
  return { kind: 'blocked' as const, retryAfterSeconds };
}
