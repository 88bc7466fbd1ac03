import { myAccount as t } from '#texts/my-account.ts';
import { fill } from '#locales/fill.ts';
import { spanText } from '#locales/counts.ts';
import { helperProblems } from '#texts/helper-problems.ts';
import { fields } from '#texts/fields.ts';
import { passwords } from '#texts/passwords.ts';
import { problems } from '#texts/problems.ts';
import { pathOf } from '#domain/screens.ts';
import type { AccountData } from '#contract/my-account.ts';
import { BackLink } from '../ui/link-row.tsx';
import { useAppContext } from './app-context.ts';
import type { ScreenModule } from './view.ts';

/** Returns the person's data; the server sends it with each page of My account. */
export function useAccount(): AccountData | null {
  return useAppContext().boot.account;
}

const MESSAGES = { ...fields, ...passwords, ...problems, ...helperProblems };
const PROBLEM_TEXTS = {
  ...MESSAGES,
  passwordGuessable: t.guessable,
  callRefused: t.callRefused,
};

/** Returns what is wrong with a field of the sent form; `undefined` for nothing. */
export function useProblem(name: string): string | undefined {
  const problem = useAccount()?.problems[name];
  if (!problem) return undefined;
  const minutes = spanText(problem.minutes, 'minute');
  return fill(PROBLEM_TEXTS[problem.message], { minutes });
}

/** Renders the link back to the list. A page load: the server reads the list anew. */
export function BackToAccount() {
  return <BackLink href={pathOf('myAccount')}>{t.back}</BackLink>;
}

/** Returns the side panel of these pages. */
export const accountPanel: NonNullable<ScreenModule['panel']> = ({ visit }) => ({
  title: fill(t.panelTitle, { name: visit.login?.memberName.split(' ', 1)[0] ?? '' }),
  text: t.panelText,
});
