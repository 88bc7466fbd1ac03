import * as z from 'zod';
import { nearest } from '#domain/text/nearest.ts';
import { configCommand as texts } from '#locales/operator/config-command.ts';
import { fill } from '#locales/fill.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { type Fault, readValue } from './setting.ts';

/** What is counted, how often it may happen, and how long until that is forgotten. */
export type RateLimit = {
  /** The name in `PORCHLIGHT_LIMITS` and of the counter. */
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
  /** After the limit the wait is the window, then twice as long each time, up to a day. */
  readonly isDoubling?: true;
  /** Counts nothing itself: looks at this other counter, earlier. */
  readonly counter?: string;
};

/** Numbers of the operator's own, by name; they count as they are, in a demo too. */
export type LimitSettings = Readonly<Record<string, Pick<RateLimit, 'max' | 'windowMs'>>>;

const minutes = (count: number) => count * MINUTE_MS;
const hours = (count: number) => minutes(count * 60);
const limit = <Name extends string>(name: Name, max: number, windowMs: number) =>
  ({ name, max, windowMs }) as const;
const doubling = <Name extends string>(name: Name, max: number, windowMs: number) =>
  ({ ...limit(name, max, windowMs), isDoubling: true }) as const;
/** Requests under way: nothing is counted over time. */
const atOnce = <Name extends string>(name: Name, max: number) => limit(name, max, 0);
/** From here on a proof of work is asked for: the counter of a limit, looked at earlier. */
const threshold = <Name extends string>(name: Name, max: number, of: RateLimit) => ({
  ...limit(name, max, of.windowMs),
  counter: of.name,
});

const signUpPerIp = limit('signUpPerIp', 20, hours(1));
const resetPerIp = limit('resetPerIp', 100, hours(1));

const TABLE = [
  signUpPerIp,
  threshold('signUpProofPerIp', 5, signUpPerIp),
  // A form that is sent again as it was: comparing its password is work, too.
  limit('signUpAgainPerVisit', 50, hours(1)),
  // Truthful answers about an address, before they all look alike (SRV-25).
  limit('lookUpPerIp', 5, minutes(10)),
  limit('lookUpPerIpADay', 20, hours(24)),
  limit('lookUpPerVisit', 20, hours(24)),
  doubling('passwordPerAccountAndIp', 5, minutes(15)),
  doubling('passwordPerKnownBrowser', 5, minutes(15)),
  limit('passwordPerIp', 20, minutes(1)),
  limit('passwordProofPerAccount', 20, hours(24)),
  limit('passwordProofPerIp', 10, minutes(15)),
  // The mail to the owner of an account whose password is tried.
  limit('passwordGuessingAlert', 1, hours(24)),
  limit('codePerIp', 25, minutes(5)),
  limit('codePerIpADay', 100, hours(24)),
  limit('signInCodePerIp', 300, minutes(5)),
  limit('signInCodePerIpADay', 1000, hours(24)),
  limit('codePerVisit', 10, hours(24)),
  limit('codePerAccount', 6, hours(1)),
  limit('codePerAccountADay', 10, hours(24)),
  limit('codePerMailbox', 10, hours(1)),
  limit('codePerMailboxADay', 30, hours(24)),
  doubling('wrongCodePerAccount', 10, minutes(15)),
  limit('comparedCodePerAccountADay', 30, hours(24)),
  limit('textPerNumber', 6, hours(1)),
  limit('textPerNumberADay', 12, hours(24)),
  limit('textPerRange', 300, hours(1)),
  limit('textPerIpADay', 300, hours(24)),
  limit('callPerNumber', 3, hours(1)),
  limit('callPerNumberADay', 6, hours(24)),
  limit('callPerRange', 30, hours(1)),
  limit('callPerAccountADay', 6, hours(24)),
  limit('callPerIp', 15, hours(1)),
  limit('callPerIpADay', 40, hours(24)),
  limit('alertPerDay', 1, hours(24)),
  limit('resetPerAccount', 5, hours(1)),
  limit('resetAgainPerAccount', 1, minutes(25)),
  resetPerIp,
  threshold('resetProofPerIp', 5, resetPerIp),
  // "Not your address? Change it": each change is a sign-up of its own.
  limit('addressPerVisit', 5, hours(24)),
  // A helper's asks count in the member's own limits, too; these bound the mails that tell the member of them.
  limit('helpPerMember', 6, hours(1)),
  limit('helpUnlockPerMember', 1, hours(24)),
  limit('helperNamedPerMember', 5, hours(24)),
  limit('helperNamedPerMailbox', 3, hours(24)),
  limit('verifyLinkPerAccount', 5, hours(1)),
  limit('wrongLinkPerIp', 10, hours(1)),
  // Each start is a row, and may be a call of a provider.
  limit('organisationPerIp', 300, minutes(5)),
  limit('passwordlessPerIp', 25, minutes(5)),
  limit('managementPerPerson', 60, minutes(1)),
  limit('managementPerClient', 1200, minutes(1)),
  limit('scimPerOrganisation', 1500, minutes(1)),
  limit('wrongBearerPerIp', 20, minutes(1)),
  limit('challengePerIp', 300, minutes(1)),
  limit('startPerIp', 3000, minutes(5)),
  limit('startPerIpADay', 20_000, hours(24)),
  limit('errorPerIp', 600, minutes(5)),
  limit('invitePerStaff', 20, hours(1)),
  limit('invitePerHouseADay', 60, hours(24)),
  limit('invitePerMailboxAWeek', 2, hours(7 * 24)),
  limit('searchPerStaff', 300, hours(1)),
  limit('pageCodePerIp', 120, hours(1)),
  limit('wrongPageCodePerStaff', 20, hours(1)),
  limit('askPerHouse', 1, hours(1)),
  limit('suspendsPerStaff', 20, hours(1)),
  limit('suspendsAlarm', 1, hours(1)),
  limit('looksPerStaff', 60, hours(1)),
  limit('looksAlarm', 1, hours(1)),
  limit('refusalNotice', 1, hours(1)),
  atOnce('requestsAtOnce', 24),
  atOnce('requestsAtOncePerIp', 8),
] as const satisfies readonly RateLimit[];

type Row = (typeof TABLE)[number];
type LimitName = Row['name'];

/** Every limit and its number, once; `docs/limits.md` says what each one counts and what happens past it. */
export const RATE_LIMITS = Object.fromEntries(TABLE.map((rule) => [rule.name, rule])) as {
  readonly [Name in LimitName]: RateLimit;
};

const hasOwnTime = ({ counter, windowMs }: RateLimit) => counter === undefined && windowMs > 0;

/** A week: what is forgotten later than that is a lock, not a limit. */
const MOST_MINUTES = 7 * 24 * 60;

const own = z.strictObject({
  max: z.number().int().min(1).max(1_000_000).optional(),
  minutes: z.number().int().min(1).max(MOST_MINUTES).optional(),
});
const settingsSchema = z.record(
  z.string(),
  own.refine((given) => given.max !== undefined || given.minutes !== undefined, {
    message: 'needs "max", "minutes" or both',
  }),
);

/** Every limit with the numbers that may be set: for the published schema. */
export const limitsSchema = z.strictObject(
  Object.fromEntries(
    TABLE.map((rule: RateLimit) => [
      rule.name,
      (hasOwnTime(rule) ? own : own.omit({ minutes: true })).optional(),
    ]),
  ),
);

/** Reads `PORCHLIGHT_LIMITS`. Names every fault, text that is no JSON and numbers out of range, and warns of
 * unknown names. */
export function readLimits(text = '{}') {
  const json = parseJson(text);
  if (json === undefined) {
    return { settings: {}, faults: [{ at: [], says: 'is no JSON' }], warnings: [] };
  }
  const { value, ...read } = readValue(settingsSchema, json);
  const settings: Record<string, LimitSettings[string]> = {};
  const faults: Fault[] = [...read.faults];
  const warnings: Fault[] = [...read.warnings];
  for (const [name, given] of Object.entries(value ?? {})) {
    const rule = TABLE.find((each: RateLimit) => each.name === name) as RateLimit | undefined;
    if (!rule) {
      warnings.push({ at: [name], says: unknown(name) });
      continue;
    }
    if (given.minutes !== undefined && !hasOwnTime(rule)) {
      const why = rule.counter ? `as long as ${rule.counter} does` : 'what is under way';
      faults.push({ at: [name, 'minutes'], says: `it counts ${why}` });
    }
    const windowMs = given.minutes === undefined ? rule.windowMs : minutes(given.minutes);
    settings[name] = { max: given.max ?? rule.max, windowMs };
  }
  return { settings, faults, warnings };
}

function unknown(name: string): string {
  const near = nearest(name, Object.keys(RATE_LIMITS));
  const guess = near === null ? '' : ` ${fill(texts.guess, { name: near })}`;
  return `there is no such limit.${guess} docs/limits.md has their names.`;
}

/** Returns `undefined` for a text that is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
