import type { ReactNode } from 'react';
import { accountProblems, myAccount as t } from '#texts/my-account.ts';
import { fill } from '#locales/fill.ts';
import { spanText } from '#locales/counts.ts';
import { helperProblems } from '#texts/helper-problems.ts';
import { fields } from '#texts/fields.ts';
import { passwords } from '#texts/passwords.ts';
import { problems } from '#texts/problems.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { AccountData, AccountProblem } from '#contract/my-account.ts';
import type { System } from '#domain/text/browser-name.ts';
import { BackLink } from '../ui/link-row.tsx';
import { NightHouse, NightStrip } from '../ui/night-house.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import styles from '../ui/night-house.module.css';
import { useAppContext } from './app-context.ts';
import type { Panel, PanelInput } from './view.ts';

/** Returns the person's data; the server sends it with each page of My account. */
export function useAccount(): AccountData | null {
  return useAppContext().boot.account;
}

const TEXTS = { ...fields, ...passwords, ...problems, ...helperProblems, ...accountProblems };

/** Returns the text of a problem. */
export function problemText({ message, minutes }: AccountProblem): string {
  return fill(TEXTS[message], { minutes: spanText(minutes, 'minute') });
}

/** Returns what is wrong with the first of these fields; `undefined` for nothing. */
export function useProblem(...names: readonly string[]): string | undefined {
  const problems = useAccount()?.problems;
  const [problem] = names.flatMap((name) => problems?.[name] ?? []);
  return problem && problemText(problem);
}

type AccountPageProps = {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly above?: ReactNode;
  readonly children?: ReactNode;
};

/** Renders a page below the list, with the link back. A page load: the server reads the list anew. */
export function AccountPage({ title, children, ...heading }: AccountPageProps) {
  return (
    <div className={styles.edge}>
      <BackLink href={pathOf('myAccount')}>{t.back}</BackLink>
      <PageHeading {...heading}>{title}</PageHeading>
      {children}
    </div>
  );
}

/** Returns the side panel of these pages: the house by night, with a verb below its words. */
export const accountPanel: (input: PanelInput, verb?: ReactNode) => Panel = (
  { visit, account },
  verb,
) => {
  const title = fill(t.panelTitle, { name: visit.login?.memberName.split(' ', 1)[0] ?? '' });
  if (!account) return { title, text: t.panelText };
  const { devices, endedDevices: ended } = account;
  const lit = devices.map(({ system, isHere }) => ({
    name: isHere ? t.lightHere : system && (SYSTEM_WORDS[system] ?? system),
    isHere,
  }));
  const lights = [...lit, ...ended.map(() => ({ name: t.lightEnded, isHere: false, isOut: true }))];
  const words = lightsText(lit.length, ended.length);
  return {
    title: words.title ?? title,
    text: (
      <>
        {words.text}
        {verb}
      </>
    ),
    drawing: {
      beside: <NightHouse lights={lights} />,
      strip: <NightStrip lights={lights} />,
      className: styles.night,
    },
  };
};

/** Returns the title and the words below the house; a title only where a light has just gone out. */
function lightsText(lit: number, out: number): { readonly title?: string; readonly text: string } {
  const counted = (count: number) => ({ count: t.fromTwoOn[count - 2] ?? count });
  if (out === 0) return { text: lit > 1 ? fill(t.lights, counted(lit)) : t.oneLight };
  return {
    title: out > 1 ? fill(t.lightsOut, counted(out)) : t.oneOut,
    text: lit > 1 ? fill(t.lightsStill, counted(lit)) : t.oneStill,
  };
}

/** As short as a plate below a window, and the same in every language. */
const SYSTEM_WORDS: Readonly<Partial<Record<System, string>>> = {
  android: 'Android',
  windows: 'Windows',
  chromebook: 'Chrome',
  mac: 'Mac',
  linux: 'Linux',
};
