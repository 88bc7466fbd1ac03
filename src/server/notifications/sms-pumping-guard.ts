import { sql } from 'kysely';
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import type { DeliveryReason } from '#domain/delivery.ts';
import { OTP_MEDIUM } from '#domain/otp.ts';
import type { ServerContext } from '../context.ts';
import { RATE_LIMITS } from '../abuse/rate-limit-rules.ts';

export type SmsPumpingGuard = {
  /**
   * Why no text is sent to this number now; `null`: it is. Counts one text. Never inside a transaction: the counts are
   * shared at once.
   */
  refusalFor(phone: string): Promise<DeliveryReason | null>;
};

type Alert = (what: 'texts.nearLimit' | 'texts.unusedCodes') => void;

/** Numbers that cost the sender or reach nobody: no code goes there, in whatever country (security R15). */
const REFUSED_TYPES = new Set(['PREMIUM_RATE', 'TOLL_FREE', 'SHARED_COST', 'UAN', 'PAGER']);
/** The last digits, within which a pumped range lies. */
const RANGE_DIGITS = 4;
const ALERT_SHARE = 0.8;
/** Of the day's texts, for every dial code but that of the first country. */
const ABROAD_SHARE = 0.2;
/** Fewer than a fifth of the last 200 codes used: somebody sends them for the sending (security R16). */
const SAMPLE = 200;
const LEAST_USED = 0.2;

/** Texts cost money, and there are those who earn by having them sent: what no visitor needs is not sent (R15, R16). */
export function createSmsPumpingGuard(context: ServerContext, alert: Alert): SmsPumpingGuard {
  const { db, clock, rateLimits, config } = context;
  const { smsCountries, smsDailyLimit, limitFactor } = config;
  const known = smsCountries.filter((code) => isSupportedCountry(code));
  const homeCode = getCountryCallingCode(known[0] ?? 'US');
  const dailyRule = (name: string, share: number) => ({
    ...RATE_LIMITS.textsPerDay,
    name: `${RATE_LIMITS.textsPerDay.name}${name}`,
    max: Math.max(1, Math.floor(smsDailyLimit * share)),
  });

  async function isWithinLimits(phone: string, dialCode: string): Promise<boolean> {
    const isWithin = await rateLimits.isWithin(
      [RATE_LIMITS.textPerRange, phone.slice(0, -RANGE_DIGITS)],
      [dailyRule(':dial-code', dialCode === homeCode ? 1 : ABROAD_SHARE), dialCode],
      [dailyRule('', 1), 'all'],
    );
    const isCalm = await rateLimits.isWithin([dailyRule(':calm', ALERT_SHARE), 'all']);
    if (!isCalm && (await rateLimits.isWithin([RATE_LIMITS.alertPerDay, 'texts'])))
      alert('texts.nearLimit');
    return isWithin;
  }

  /** Of the codes whose time is over or that were used: those under way say nothing yet. */
  async function areCodesUsed(): Promise<boolean> {
    const sample = SAMPLE * limitFactor;
    const last = db
      .selectFrom('otp_codes')
      .select('verified_at')
      .where('medium', '!=', OTP_MEDIUM.email)
      .where((eb) => eb.or([eb('verified_at', 'is not', null), eb('expires_at', '<', clock.now())]))
      .orderBy('sent_at', 'desc')
      .limit(sample);
    const { sent, used } = await db
      .selectFrom(last.as('last'))
      .select([sql<number>`count(*)`.as('sent'), sql<number>`count(last.verified_at)`.as('used')])
      .executeTakeFirstOrThrow();
    const isUsed = Number(sent) < sample || Number(used) >= sample * LEAST_USED;
    if (!isUsed && (await rateLimits.isWithin([RATE_LIMITS.alertPerDay, 'unused']))) {
      alert('texts.unusedCodes');
    }
    return isUsed;
  }

  return {
    async refusalFor(phone) {
      const number = parsePhoneNumberFromString(phone);
      if (!number || !isReachable(number, known, smsCountries.length === 0)) return 'notAllowed';
      const isAllowed =
        (await isWithinLimits(number.number, number.countryCallingCode)) && (await areCodesUsed());
      return isAllowed ? null : 'notAllowed';
    },
  };
}

/** A number as providers want it: what people write before it at home, as in +254 0712 345678, is left out (E.164). */
export function smsNumber(phone: string): string {
  return parsePhoneNumberFromString(phone)?.number ?? phone;
}

/** In an enabled country and of a kind that texts are for; satellite and global numbers have no country. */
function isReachable(
  number: PhoneNumber,
  countries: readonly CountryCode[],
  isEverywhere: boolean,
): boolean {
  if (number.isNonGeographic()) return false;
  const type = number.getType();
  if (type && REFUSED_TYPES.has(type)) return false;
  if (isEverywhere) return true;
  // A range too new for the library's tables still has its dial code.
  const possible = number.country ? [number.country] : number.getPossibleCountries();
  return possible.some((country) => countries.includes(country));
}
