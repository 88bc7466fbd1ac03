import { accountProblems, myAccount as t } from '#texts/my-account.ts';
import { fill } from '#locales/fill.ts';
import { spanText } from '#locales/counts.ts';
import { helperProblems } from '#texts/helper-problems.ts';
import { fields } from '#texts/fields.ts';
import { passwords } from '#texts/passwords.ts';
import { problems } from '#texts/problems.ts';
import { pathOf, type ScreenName } from '#domain/flow/screens.ts';
import type { AccountData, AccountProblem } from '#contract/my-account.ts';
import type { System } from '#domain/text/browser-name.ts';
import { buttonClass } from '../ui/button.tsx';
import { BackLink } from '../ui/link-row.tsx';
import { NightHouse, NightStrip } from '../ui/night-house.tsx';
import styles from '../ui/night-house.module.css';
import { useAppContext } from './app-context.ts';
import type { ScreenModule } from './view.ts';

/** Returns the person's data; the server sends it with each page of My account. */
export function useAccount(): AccountData | null {
  return useAppContext().boot.account;
}

const MESSAGES = { ...fields, ...passwords, ...problems, ...helperProblems };
const PROBLEM_TEXTS = { ...MESSAGES, ...accountProblems };

/** Returns the text of a problem. */
export function problemText({ message, minutes }: AccountProblem): string {
  return fill(PROBLEM_TEXTS[message], { minutes: spanText(minutes, 'minute') });
}

/** Returns what is wrong with the first of these fields; `undefined` for nothing. */
export function useProblem(...names: readonly string[]): string | undefined {
  const problems = useAccount()?.problems;
  const [problem] = names.flatMap((name) => problems?.[name] ?? []);
  return problem && problemText(problem);
}

/** Renders the link back to the list. A page load: the server reads the list anew. */
export function BackToAccount() {
  return <BackLink href={pathOf('myAccount')}>{t.back}</BackLink>;
}

/** Renders the verb of a row, a link to its page. A page load: the server reads the page's data. */
export function AccountVerb(props: {
  readonly to: ScreenName;
  readonly label: string;
  readonly verb: string;
}) {
  return (
    <a
      className={buttonClass('soft')}
      href={pathOf(props.to)}
      aria-label={fill(t.verbOf, { verb: props.verb, row: props.label })}
    >
      {props.verb}
    </a>
  );
}

/** Returns the side panel of these pages. */
export const accountPanel: NonNullable<ScreenModule['panel']> = ({ visit, account }) => {
  const title = fill(t.panelTitle, { name: visit.login?.memberName.split(' ', 1)[0] ?? '' });
  if (!account) return { title, text: t.panelText };
  const lights = account.devices.map(({ system, isHere }) => ({
    name: isHere ? t.lightHere : system && SYSTEM_WORDS[system],
    isHere,
  }));
  return {
    title,
    text: lights.length > 1 ? fill(t.lights, { count: lights.length }) : t.oneLight,
    drawing: {
      beside: <NightHouse lights={lights} />,
      strip: <NightStrip lights={lights} />,
      className: styles.night,
    },
  };
};

/** As short as a plate below a window, and the same in every language. */
const SYSTEM_WORDS: Readonly<Record<System, string>> = {
  iPhone: 'iPhone',
  iPad: 'iPad',
  android: 'Android',
  windows: 'Windows',
  chromebook: 'Chrome',
  mac: 'Mac',
  linux: 'Linux',
};
