import type { FieldMessage } from '#texts/fields.ts';
import type { HelperProblem } from '#texts/helper-problems.ts';
import type { SignInCause } from '../help-desk/why-cannot-sign-in.ts';
import { canonicalEmail, checkEmail, EMAIL_RULE } from '../typed/validation.ts';
import { DAY_MS } from '../text/duration.ts';

/** The most helpers of one member, with those who were asked and have not answered. */
export const MOST_HELPERS = 3;

/** Milliseconds that a named person has to say yes. */
export const ASK_LIFE_MS = 14 * DAY_MS;
/** Milliseconds before the end of a helper's year when both are told of it. */
export const ENDS_SOON_MS = 30 * DAY_MS;
const RELATION_LENGTH = 40;

/** The times of one helper. */
export type HelperTimes = {
  /** When the named person accepted; `null` until then. */
  readonly addedAt: Date | null;
  /** The end of the ask, or of the year. */
  readonly endsAt: Date;
  readonly removedAt: Date | null;
};

/** `asked`: the named person has not answered. `endsSoon`: helping, for 30 days more at most. */
export type HelperState = 'asked' | 'helping' | 'endsSoon' | 'ended';

/** Returns the state of a helper. */
export function helperState({ addedAt, endsAt, removedAt }: HelperTimes, now: Date): HelperState {
  if (removedAt !== null || endsAt <= now) return 'ended';
  if (addedAt === null) return 'asked';
  return endsAt.getTime() - now.getTime() <= ENDS_SOON_MS ? 'endsSoon' : 'helping';
}

/** Returns the end of a helper's year: twelve months later. */
export function endOfHelp(addedAt: Date): Date {
  const end = new Date(addedAt);
  end.setUTCFullYear(end.getUTCFullYear() + 1);
  return end;
}

export type HelperFields = Record<'helperEmail' | 'relation', string>;
type Checked =
  | { readonly isValid: true; readonly values: HelperFields }
  | {
      readonly isValid: false;
      readonly problems: Partial<Record<keyof HelperFields, FieldMessage | HelperProblem>>;
    };

/**
 * Checks the form that names a helper: an address, and what the person is to the member, in the member's words. Nobody
 * is a helper of their own account.
 */
export function checkHelper(input: HelperFields, ownEmail: string): Checked {
  const helperEmail = EMAIL_RULE.normalize(input.helperEmail);
  const relation = input.relation.trim().replaceAll(/\s+/g, ' ');
  const isOwn = canonicalEmail(helperEmail) === canonicalEmail(ownEmail);
  const ofEmail: FieldMessage | HelperProblem | null =
    checkEmail(helperEmail) ?? (isOwn ? 'helperIsYou' : null);
  const ofRelation = relationProblem(relation);
  if (!ofEmail && !ofRelation) return { isValid: true, values: { helperEmail, relation } };
  const problems = {
    ...(ofEmail && { helperEmail: ofEmail }),
    ...(ofRelation && { relation: ofRelation }),
  };
  return { isValid: false, problems };
}

function relationProblem(text: string): HelperProblem | null {
  if (text === '') return 'relationRequired';
  const isShort = text.length <= RELATION_LENGTH;
  // Persian words have joiners.
  const isPlain = /\p{L}/u.test(text) && !/(?!\p{Join_C})\p{C}/u.test(text);
  return isShort && isPlain ? null : 'relationInvalid';
}

/** Returns whether the person can sign in: the one thing that a helper is told. */
export const canSignIn = (cause: SignInCause): boolean => cause === 'nothing';

/** What a helper may ask for. */
export const HELP_ASKS = ['reset', 'resend', 'unlock'] as const;
export type HelpAsk = (typeof HELP_ASKS)[number];
