import { sql } from 'kysely';
import type { CountryCode, PhoneNumber } from 'libphonenumber-js/max';
import type { DeliveryReason } from '#domain/proofs/delivery.ts';
import { OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { DAY_MS } from '#domain/text/duration.ts';
import type { ServerContext } from '../core/context.ts';
import { RATE_LIMITS, type RateLimit } from '../config/limits.ts';
import type { Receipt, Use } from '../abuse/rate-limits.ts';
import type { LimitNotes } from '../abuse/refusals.ts';
import { AppError } from '../http/app-error.ts';

type TextSource = {
  readonly ip: string;
  /** After a right password, which an attacker does not have. */
  readonly isSignIn: boolean;
};
type TakenText = { readonly refusal: DeliveryReason | null; readonly counted: Receipt };

type Alert = (what: 'texts.nearLimit' | 'texts.unusedCodes') => void;

/** Kinds of numbers that cost the sender or reach no person: no code goes there, in any country (security R15). */
const REFUSED_TYPES = new Set(['PREMIUM_RATE', 'TOLL_FREE', 'SHARED_COST', 'UAN', 'PAGER']);
/** Number of last digits within which a pumped range lies. */
const RANGE_DIGITS = 4;
const REFUSED: TakenText = { refusal: 'notAllowed', counted: [] };
const ALERT_SHARE = 0.8;
/** Share of the day's texts for every dial code but that of the first country. */
const ABROAD_SHARE = 0.2;
/** Share of the day's texts for sign-ups: sign-ups of strangers never take the texts of people who sign in. */
const SIGN_UP_SHARE = 0.5;
/** Fewer than a fifth of the last 200 codes used suggests pumping. The operator gets an alert (R16). */
const SAMPLE = 200;
const LEAST_USED = 0.2;

/** The number plans of all countries, which a server needs only from the first text on. */
const loadPlans = () => import('libphonenumber-js/max');

/** Creates the guard against SMS pumping, where attackers earn from texts: unneeded texts are not sent (R15, R16). */
export function createSmsPumpingGuard(
  context: ServerContext,
  deps: { readonly alert: Alert; readonly recordHeldBack: LimitNotes['heldBack'] },
) {
  const { db, clock, rateLimits, config, audit } = context;
  const { alert, recordHeldBack } = deps;
  const { smsCountries, smsDailyLimit, limitFactor } = config;
  const dailyRule = (name: string, share: number): RateLimit => ({
    name: `texts${name}`,
    max: Math.max(1, Math.floor(smsDailyLimit * share)),
    windowMs: DAY_MS,
  });

  /** Returns the counters that a used code releases. */
  function unusedOf(phone: string, { ip, isSignIn }: TextSource): readonly Use[] {
    // A sign-up with another person's number must not use up that person's sign-in texts.
    const purpose = isSignIn ? 'signIn' : 'signUp';
    return [
      [RATE_LIMITS.textPerNumber, phone, purpose],
      [RATE_LIMITS.textPerNumberADay, phone, purpose],
      [RATE_LIMITS.textPerRange, phone.slice(0, -RANGE_DIGITS)],
      [RATE_LIMITS.textPerIpADay, ip],
    ];
  }

  /** Returns the counters that a text uses permanently. */
  function costOf(dialCode: string, isHome: boolean, { isSignIn }: TextSource): readonly Use[] {
    const share = isHome ? 1 : ABROAD_SHARE;
    const all: Use[] = [
      [dailyRule('', 1), 'all'],
      [dailyRule(':dial-code', share), dialCode],
    ];
    if (isSignIn) return all;
    return [
      ...all,
      [dailyRule(':sign-up', SIGN_UP_SHARE), 'all'],
      [dailyRule(':sign-up:dial-code', share * SIGN_UP_SHARE), dialCode],
    ];
  }

  async function alertOperator(): Promise<void> {
    const isCalm = await rateLimits.isWithin([dailyRule(':calm', ALERT_SHARE), 'all']);
    if (!isCalm && (await rateLimits.isWithin([RATE_LIMITS.alertPerDay, 'texts']))) {
      alert('texts.nearLimit');
    }
    if (
      !(await areCodesUsed()) &&
      (await rateLimits.isWithin([RATE_LIMITS.alertPerDay, 'unused']))
    ) {
      alert('texts.unusedCodes');
    }
  }

  /** Looks at expired and used codes only: open ones say nothing yet. */
  async function areCodesUsed(): Promise<boolean> {
    const sample = SAMPLE * limitFactor;
    const last = db
      .selectFrom('otp_codes')
      .select('verified_at')
      // Written as in the index (migration 0023).
      .where('medium', '!=', sql.lit(OTP_MEDIUM.email))
      .where((eb) => eb.or([eb('verified_at', 'is not', null), eb('expires_at', '<', clock.now())]))
      .orderBy('sent_at', 'desc')
      .limit(sample);
    const { sent, used } = await db
      .selectFrom(last.as('last'))
      .select([sql<number>`count(*)`.as('sent'), sql<number>`count(last.verified_at)`.as('used')])
      .executeTakeFirstOrThrow();
    return Number(sent) < sample || Number(used) >= sample * LEAST_USED;
  }

  return {
    /**
     * Counts one text to this number, or returns why none is sent now. A used code releases its counts. Never inside a
     * transaction: all instances must see the counts at once.
     */
    async take(phone: string, from: TextSource): Promise<TakenText> {
      const { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } =
        await loadPlans();
      const known = smsCountries.filter((code) => isSupportedCountry(code));
      const number = parsePhoneNumberFromString(phone);
      if (!number || !isReachable(number, known, smsCountries.length === 0)) {
        await audit({ kind: 'text.refused', ip: from.ip, details: { limit: 'SMS_COUNTRIES' } });
        return REFUSED;
      }
      const { number: e164, countryCallingCode } = number;
      const unused = unusedOf(e164, from);
      const isHome = countryCallingCode === getCountryCallingCode(known[0] ?? 'US');
      const cost = costOf(countryCallingCode, isHome, from);
      try {
        const counted = await rateLimits.consume(...unused);
        await rateLimits.consume(...cost).catch(async (error: unknown) => {
          await rateLimits.release(...unused);
          throw error;
        });
        await alertOperator();
        return { refusal: null, counted };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        await recordHeldBack(error, from.ip);
        // The day's last texts are used up, which also alerts the operator.
        await alertOperator();
        return REFUSED;
      }
    },
  };
}

/** Returns a number in E.164, without a national prefix, as in +254 0712 345678. */
export async function smsNumber(phone: string): Promise<string> {
  const { parsePhoneNumberFromString } = await loadPlans();
  return parsePhoneNumberFromString(phone)?.number ?? phone;
}

/**
 * Returns whether a number is in an enabled country and of a kind for texts; satellite and global numbers have no
 * country.
 */
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
