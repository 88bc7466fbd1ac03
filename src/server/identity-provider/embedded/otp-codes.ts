import type {
  OneTimeCodes,
  OneTimeCodeVerdict,
  SentOneTimeCode,
  Visitor,
} from '#openid-provider/ports.ts';
import type { OtpMedium, OtpType } from '#domain/otp.ts';
import { findAccountByEmail, findActiveAccount } from '../../accounts/account-store.ts';
import { mailRuleOf } from '../../accounts/proof.ts';
import { AppError } from '../../http/app-error.ts';
import { insertVisit, type Visit } from '../../http/visit-cookie.ts';
import type { ServerContext } from '../../context.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import type { Otps } from '../../otp/otp.ts';

const BOTH: OtpMedium = 4;
const MEDIA = { email: 3, sms: 1 } as const satisfies Record<string, OtpMedium>;

/**
 * The provider's port `OneTimeCodes` over the portal's one-time codes. Each code belongs to a visit; these callers
 * have no visit cookie, so the mfa_token, or the same client with the same contact, takes its place.
 */
export function createOneTimeCodes(
  { db, clock, rateLimits, audit }: ServerContext,
  otps: Pick<Otps, 'send' | 'verify'>,
): OneTimeCodes {
  async function send(
    accountId: string,
    type: OtpType,
    medium: OtpMedium,
    handle: string | null,
    { ip }: Visitor,
  ): Promise<SentOneTimeCode> {
    const userId = Number(accountId);
    const account = await findActiveAccount(db, userId);
    if (!account) return { kind: 'blocked', retryAfterSeconds: 1 };
    const visit = handle
      ? visitOf(partsOf(handle).visitId)
      : (await insertVisit(db, clock.now())).visit;
    const recipient = {
      userId,
      type,
      registrationId: null,
      signInId: null,
      email: account.email,
      phone: `${account.dial_code}${account.mobile}`,
      firstName: account.first_name,
      subtenantId: account.subtenant_id,
      signUpPlatform: account.sign_up_platform,
      mailRule: mailRuleOf(account),
      decoyOf: null,
      isForRole: false,
    };
    try {
      const { id } = await otps.send(recipient, medium, { visit, ip });
      return { kind: 'sent', handle: `${visit.id}.${id}` };
    } catch (error) {
      return blocked(error);
    }
  }

  return {
    sendSecondFactor: (accountId, handle, visitor) =>
      send(accountId, 'TWOFACTORAUTHENTICATION', BOTH, handle, visitor),

    // A type of its own: whoever knows only an address must not invalidate the code of a sign-in under way.
    sendPasswordless: (accountId, channel, handle, visitor) =>
      send(accountId, 'VERIFY_CONTACT', MEDIA[channel], handle, visitor),

    async findByContact(contact) {
      if ('email' in contact) {
        const account = await findAccountByEmail(db, contact.email);
        // Nobody has shown to read that mailbox yet: its owner begins with an account of his or her own.
        const isOwn = account?.status === 'active' && account.email_proven_at !== null;
        return isOwn ? String(account.id) : null;
      }
      const rows = await db
        .selectFrom('users')
        .select('id')
        .where('status', '=', 'active')
        .where('mail_codes_only', '=', false)
        .where((eb) => eb(eb.fn<string>('concat', ['dial_code', 'mobile']), '=', contact.phone))
        .limit(2)
        .execute();
      // A number that two accounts share belongs to neither of them alone.
      const [only] = rows;
      return only && rows.length === 1 ? String(only.id) : null;
    },

    async countStart({ ip }) {
      try {
        await rateLimits.take([RATE_LIMITS.passwordlessPerIp, ip]);
        return 0;
      } catch (error) {
        return blocked(error).retryAfterSeconds;
      }
    },

    async verify(accountId, handle, code, { ip }): Promise<OneTimeCodeVerdict> {
      const { visitId, otpId } = partsOf(handle);
      const claim = { id: otpId, userId: Number(accountId), otp: code };
      try {
        await otps.verify(claim, { visit: visitOf(visitId), ip });
        await audit({ kind: 'hosted.codeRight', userId: claim.userId, ip });
        return { kind: 'ok' };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'TOO_MANY') return blocked(error);
        return { kind: error.code === 'OTP_EXPIRED' ? 'expired' : 'wrong' };
      }
    },
  };
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
