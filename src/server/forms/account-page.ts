import type { AccountData, AccountProblem } from '#contract/my-account.ts';
import { ERRORS } from '#contract/errors.ts';
import { waitMinutes } from '#domain/text/duration.ts';
import type { Preferences } from '#domain/looks/display.ts';
import { pathOf, type ScreenName } from '#domain/flow/screens.ts';
import type { Login } from '#domain/flow/visit.ts';
import { spanText } from '#locales/counts.ts';
import { fill } from '#locales/fill.ts';
import { fields } from '#texts/fields.ts';
import { helperProblems } from '#texts/helper-problems.ts';
import { accountProblems } from '#texts/my-account.ts';
import { passwords } from '#texts/passwords.ts';
import { problems } from '#texts/problems.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller } from '../http/visit-cookie.ts';

/** The signed-in person of a page. */
export type Me = Pick<Login, 'loggedInUserId' | 'signInId'>;

export const idsOf = ({ loggedInUserId: userId, signInId }: Me) => ({ userId, signInId });

/** The answer to a form: the next page's address, or the same page with its problems and what was typed. */
export type AccountAnswer =
  | {
      readonly page: string;
      /** Choices that this browser keeps, too. */
      readonly display?: Preferences;
      /** Further Set-Cookie lines. */
      readonly cookies?: readonly string[];
    }
  | (Pick<AccountData, 'problems' | 'typed'> & Partial<Pick<AccountData, 'recoveryCodes'>>);

/** The form of one page of My account. */
export type AccountForm = {
  /** Whether it needs a fresh proof; its page asks for the missing one. Left out: it opens nothing. */
  readonly asksProof?: (sent: FormData) => boolean;
  /** The field at which a refusal is said; left out, a refusal is an error. */
  readonly refusedAt?: string;
  /** The fields that are filled in again beside a problem. */
  readonly keeps?: readonly string[];
  /** @throws AppError BAD_REQUEST for an unknown form, NO_SESSION */
  readonly run: (me: Me, sent: FormData, caller: Caller) => Promise<Ran>;
};

type Ran =
  | Extract<AccountAnswer, { readonly page: string }>
  | Omit<Exclude<AccountAnswer, { readonly page: string }>, 'typed'>;

/** The forms of one part of My account, by screen. */
export type AccountForms = Readonly<Partial<Record<ScreenName, AccountForm>>>;

/**
 * Answers a form: a missing proof shows its page again, a refusal is said at its field, what was typed stays.
 * @throws AppError as the form does, where no field says the refusal
 */
export async function answerAccountForm(
  screen: ScreenName,
  form: AccountForm,
  stepUp: { readonly isFreshIn: (me: Me) => Promise<boolean> },
  { me, sent, caller }: { readonly me: Me; readonly sent: FormData; readonly caller: Caller },
): Promise<AccountAnswer> {
  const { asksProof, refusedAt, keeps = [], run } = form;
  if (asksProof?.(sent) && !(await stepUp.isFreshIn(me))) return { page: pathOf(screen) };
  const typed = Object.fromEntries(keeps.map((name) => [name, textOf(sent, name)]));
  try {
    const ran = await run(me, sent, caller);
    return 'page' in ran ? ran : { ...ran, typed };
  } catch (error) {
    if (refusedAt === undefined) throw error;
    return { problems: { [refusedAt]: problemOf(error) }, typed };
  }
}

/** The answer after a saved change: the list, which says so. */
export const savedPage = { page: `${pathOf('myAccount')}?saved=1` } as const;

/** Returns the text of a field; '' for a missing one. */
export function textOf(sent: FormData, name: string): string {
  const value = sent.get(name);
  return typeof value === 'string' ? value : '';
}

/** The refusals that the pages of My account have words for; each other one is an error. */
const SHOWN = { ...fields, ...passwords, ...problems, ...accountProblems, ...helperProblems };

/** Returns the problem that a page shows for a refusal. Rethrows every other error. */
export function problemOf(error: unknown): AccountProblem {
  if (!(error instanceof AppError)) throw error;
  const { message } = ERRORS[error.code];
  if (!isShown(message)) throw error;
  return { message, minutes: waitMinutes(error.details.retryAfterMs ?? 0) };
}

const isShown = (message: string): message is AccountProblem['message'] =>
  Object.hasOwn(SHOWN, message);

/** Returns a problem in the words of its page, for a page that is written on the server alone. */
export const problemText = ({ message, minutes }: AccountProblem): string =>
  fill(SHOWN[message], { minutes: spanText(minutes, 'minute'), reference: '' });

/** Returns the problems of checked fields, as a page shows them. */
export function problemsOf(
  found: Readonly<Record<string, AccountProblem['message'] | undefined>>,
): Record<string, AccountProblem> {
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, message]) =>
      message === undefined ? [] : [[name, { message, minutes: 0 }]],
    ),
  );
}

/** Returns the day of a moment, such as "2027-11-24": the page writes it in its language. */
export const dayOf = (at: Date, timeZone: string | null): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: timeZone ?? 'UTC' }).format(at);
