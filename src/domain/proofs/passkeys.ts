import { DAY_MS, MINUTE_MS } from '../text/duration.ts';

/** The rules of passkeys (WebAuthn credentials); their texts are in `#texts/passkeys.ts`. */

/** Milliseconds in which a challenge is answered. */
export const KEY_CHALLENGE_MS = 5 * MINUTE_MS;
/** Keys that an account may have. */
export const MOST_KEYS = 20;
/** Milliseconds in which a removal can be undone: until then no device is told that the key is unknown. */
export const KEY_UNDO_MS = 3 * DAY_MS;
/** Milliseconds after which the row of a removed key is deleted. */
export const KEY_KEPT_MS = 30 * DAY_MS;
/** The factors of a sign-in by key (RFC 8176): a key, user verification, and so more than one factor. */
export const KEY_AMR: readonly string[] = ['pop', 'user', 'mfa'];

/** The offer of a key before the hand-off (decisions of My account). */
const MOST_OFFERS = 3;
const OFFER_EVERY_MS = 30 * DAY_MS;

/** The reasons for which no key is offered, and the outcomes of an offer: labels of a counter. */
export const OFFER_OUTCOMES = [
  'shown',
  'saved',
  'savedByItself',
  'later',
  'off',
  'byKey',
  'byOrganisation',
  'hasKey',
  'afterReset',
  'sharedDevice',
  'staffEntrance',
  'forApp',
  'often',
  'lately',
  'deviceCannot',
  // No offer: a request that waited in the email field ended by itself.
  'failedInField',
] as const;
export type OfferOutcome = (typeof OFFER_OUTCOMES)[number];

/** The outcomes that the browser reports, because only it knows them. */
export const REPORTED_OUTCOMES = [
  'shown',
  'later',
  'deviceCannot',
  'forApp',
  'failedInField',
] as const;

/** Why a key did not work, as its page tells it. */
export const KEY_PROBLEMS = [
  'cancelled',
  'tooLate',
  'unknown',
  'deviceCannot',
  'savedBefore',
  'codeFirst',
  'suspended',
  'refused',
  'offline',
] as const;
export type KeyProblem = (typeof KEY_PROBLEMS)[number];

export type OfferFacts = {
  /** Keys work in this installation. */
  readonly isOn: boolean;
  /** The sign-in was by key. */
  readonly isByKey: boolean;
  /** The sign-in was by an organisation, which proves nothing that a new key could stand on. */
  readonly isByOrganisation: boolean;
  readonly hasKey: boolean;
  /** The account's password was reset since its last sign-in. */
  readonly isAfterReset: boolean;
  readonly isSharedDevice: boolean;
  /** The first sign-in of this account by the staff entrance in this browser. */
  readonly isFirstAtStaffEntrance: boolean;
  readonly offers: number;
  readonly offeredAt: Date | null;
};

/** Returns why no key is offered after this sign-in; `null`: it is offered, if the device can. */
export function whyNoOffer(facts: OfferFacts, now: Date): OfferOutcome | null {
  if (!facts.isOn) return 'off';
  if (facts.isByKey) return 'byKey';
  if (facts.isByOrganisation) return 'byOrganisation';
  if (facts.isSharedDevice) return 'sharedDevice';
  if (facts.isAfterReset) return 'afterReset';
  if (facts.isFirstAtStaffEntrance) return 'staffEntrance';
  if (facts.hasKey) return 'hasKey';
  if (facts.offers >= MOST_OFFERS) return 'often';
  const { offeredAt } = facts;
  return offeredAt && now.getTime() - offeredAt.getTime() < OFFER_EVERY_MS ? 'lately' : null;
}

/** Returns whether a signature counter went on. Zero is no counter: keys that are shared between devices have none. */
export const isCounterAhead = (stored: number, shown: number): boolean =>
  (stored === 0 && shown === 0) || shown > stored;

/** Returns a name that the account's keys do not have yet: "Windows computer", then "Windows computer 2". */
export function freeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let n = 2; taken.includes(free); n += 1) free = `${name} ${n}`;
  return free;
}

/**
 * Returns whether a code can still join a sign-in: after the password, or, for an app that asks for one, after a key or an
 * organisation's own second step.
 */
export const isCodeMissing = (signIn: {
  readonly stage: string;
  readonly amr: readonly string[];
}): boolean =>
  signIn.stage === 'otp' || (signIn.stage === 'complete' && !signIn.amr.includes('otp'));
