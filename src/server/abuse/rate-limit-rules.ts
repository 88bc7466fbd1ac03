import type { RateLimit } from './rate-limits.ts';

const minutes = (count: number) => count * 60_000;
const hours = (count: number) => minutes(count * 60);

/** Every limit and its number, once. */
export const RATE_LIMITS = {
  signUpPerIp: { name: 'sign-up:ip', max: 20, windowMs: hours(1) },
  /** Truthful answers about an address, before they all look alike (SRV-25). */
  lookUpPerIp: { name: 'look-up:ip', max: 5, windowMs: minutes(10) },
  lookUpPerVisit: { name: 'look-up:visit', max: 20, windowMs: hours(24) },
  passwordPerAccountAndIp: { name: 'password:account-ip', max: 5, windowMs: minutes(15) },
  passwordPerAccount: { name: 'password:account', max: 100, windowMs: hours(24) },
  passwordPerIp: { name: 'password:ip', max: 20, windowMs: minutes(1) },
  codePerAccount: { name: 'code:account', max: 10, windowMs: hours(1) },
  codePerIp: { name: 'code:ip', max: 25, windowMs: minutes(5) },
  codePerVisit: { name: 'code:visit', max: 10, windowMs: hours(24) },
  codePerIpADay: { name: 'code:ip-day', max: 100, windowMs: hours(24) },
  resendPerAccount: { name: 'resend:account', max: 5, windowMs: hours(1) },
  resendPerAccountADay: { name: 'resend:account-day', max: 10, windowMs: hours(24) },
  /** Texts to numbers that differ in the last four digits alone. */
  textPerRange: { name: 'text:range', max: 20, windowMs: hours(1) },
  /** The number itself is the operator's: `SMS_DAILY_LIMIT`. */
  textsPerDay: { name: 'texts', max: 0, windowMs: hours(24) },
  /** The mail to the owner of an account whose password is tried. */
  passwordGuessingAlert: { name: 'owner-warning', max: 1, windowMs: hours(24) },
  alertPerDay: { name: 'alert', max: 1, windowMs: hours(24) },
  resetPerAccount: { name: 'reset:account', max: 5, windowMs: hours(1) },
  resetPerIp: { name: 'reset:ip', max: 20, windowMs: hours(1) },
  /** "Not your address? Change it": each change is a sign-up of its own. */
  addressPerVisit: { name: 'address:visit', max: 5, windowMs: hours(24) },
  wrongLinkPerIp: { name: 'wrong-link:ip', max: 10, windowMs: hours(1) },
  passwordlessPerIp: { name: 'passwordless:ip', max: 25, windowMs: minutes(5) },
  managementPerPerson: { name: 'management:person', max: 60, windowMs: minutes(1) },
  managementPerClient: { name: 'management:client', max: 1200, windowMs: minutes(1) },
  wrongCodePerAccount: { name: 'wrong-code:account', max: 10, windowMs: minutes(15) },
  challengePerIp: { name: 'challenge:ip', max: 60, windowMs: minutes(1) },
} as const satisfies Record<string, RateLimit>;

/**
 * From here on a proof of work is asked for. Where a limit above has the same name it is the same counter,
 * looked at earlier: first the browser works, then nobody gets through (security R19, R20).
 */
export const CHALLENGE_THRESHOLDS = {
  signInPerAccount: { name: RATE_LIMITS.passwordPerAccount.name, max: 20, windowMs: hours(24) },
  signInPerIp: { name: 'password-pressure:ip', max: 10, windowMs: minutes(15) },
  signUpPerIp: { name: RATE_LIMITS.signUpPerIp.name, max: 5, windowMs: hours(1) },
  resetPerIp: { name: RATE_LIMITS.resetPerIp.name, max: 5, windowMs: hours(1) },
} as const satisfies Record<string, RateLimit>;
