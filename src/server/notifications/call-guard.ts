import type { CountryCode } from 'libphonenumber-js/max';
import { DAY_MS } from '#domain/text/duration.ts';
import type { Use } from '../abuse/rate-limits.ts';
import type { ServerContext } from '../core/context.ts';
import { RATE_LIMITS, type RateLimit } from '../config/limits.ts';
import { AppError } from '../http/app-error.ts';

export type CallGuard = ReturnType<typeof createCallGuard>;

/** Only these ring at a person without costing more than a call: not premium, shared-cost, toll-free, satellite. */
const CALLED_TYPES: ReadonlySet<string> = new Set([
  'FIXED_LINE',
  'MOBILE',
  'FIXED_LINE_OR_MOBILE',
  'VOIP',
]);
const RANGE_DIGITS = 4;
const ALERT_SHARE = 0.8;

const loadPlans = () => import('libphonenumber-js/max');

/** Creates the guard against toll fraud, where attackers earn from calls to their own numbers (VOI-05, VOI-06). */
export function createCallGuard(
  { rateLimits, config, audit }: ServerContext,
  alert: (what: 'calls.nearLimit') => void,
) {
  const { voiceCountries, voiceDailyLimit } = config;
  const isEverywhere = voiceCountries.length === 0;
  const daily = (name: string, share: number): RateLimit => ({
    name: `calls${name}`,
    max: Math.max(1, Math.floor(voiceDailyLimit * share)),
    windowMs: DAY_MS,
  });

  async function parse(phone: string) {
    const { isSupportedCountry, parsePhoneNumberFromString } = await loadPlans();
    const number = parsePhoneNumberFromString(phone);
    if (!number || number.isNonGeographic()) return null;
    const type = number.getType();
    // The dial code says little: +1 is the United States and 24 others, some of which cost twenty times as much.
    const isRegion = (country: CountryCode) =>
      isSupportedCountry(country) && voiceCountries.includes(country);
    const isCalled = type !== undefined && CALLED_TYPES.has(type);
    const isInRegion = number.country !== undefined && isRegion(number.country);
    // A demo without a provider rings only in its own inbox, at numbers that do not exist.
    const isAllowed = isEverywhere ? type === undefined || isCalled : isCalled && isInRegion;
    return isAllowed ? { e164: number.number, isLandline: type === 'FIXED_LINE' } : null;
  }

  return {
    /** Returns whether a phone is in a region and of a kind that is called; `null` when it is not. */
    async look(phone: string) {
      const number = await parse(phone);
      return number && { isLandline: number.isLandline };
    },

    /**
     * Counts one call to this number. A used code does not release it, because a fraudster types the code, too. Not
     * inside a transaction: all instances must see the counts at once.
     * @throws AppError TOO_MANY, CALL_REFUSED
     */
    async take(phone: string, { ip, userId }: { readonly ip: string; readonly userId: number }) {
      const number = await parse(phone);
      if (!number) {
        await audit({ kind: 'call.refused', userId, ip, details: { limit: 'VOICE_COUNTRIES' } });
        throw new AppError('CALL_REFUSED');
      }
      const { e164 } = number;
      const uses: Use[] = [
        [RATE_LIMITS.callPerNumber, e164],
        [RATE_LIMITS.callPerNumberADay, e164],
        [RATE_LIMITS.callPerRange, e164.slice(0, -RANGE_DIGITS)],
        [RATE_LIMITS.callPerAccountADay, String(userId)],
        [RATE_LIMITS.callPerIp, ip],
        [RATE_LIMITS.callPerIpADay, ip],
        [daily('', 1), 'all'],
      ];
      const counted = await rateLimits.consume(...uses);
      const isCalm = await rateLimits.isWithin([daily(':calm', ALERT_SHARE), 'all']);
      if (!isCalm && (await rateLimits.isWithin([RATE_LIMITS.alertPerDay, 'calls']))) {
        alert('calls.nearLimit');
      }
      return counted;
    },
  };
}
