import type { ReactNode } from 'react';
import { myAccount } from '#texts/my-account.ts';
import { fill } from '#locales/fill.ts';
import { ACCOUNT_DATA_PATHS } from '#contract/routes.ts';
import { AccountVerb, accountPanel, BackToAccount, useAccount } from '../../flow/account.tsx';
import { useView } from '../../flow/app-context.ts';
import { StepUp } from '../../flow/step-up.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { AccountRows } from '../../ui/account-rows.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';

const t = myAccount.data;

/** Shows the ways to one's data: to read, to keep, to change, to erase. */
function MyData() {
  const account = useAccount();
  const { search } = useView();
  if (!account) return null;
  const { html, json } = ACCOUNT_DATA_PATHS;
  const copies = [
    row(t.read, t.readValue, <FileLink href={html} label={t.read} verb={t.open} />),
    row(t.page, t.pageValue, <FileLink href={`${html}?file`} label={t.page} verb={t.get} />),
    row(t.file, t.fileValue, <FileLink href={`${json}?file`} label={t.file} verb={t.get} />),
  ];
  const others = [
    row(
      t.answers,
      t.answersValue,
      <AccountVerb to="myAnswers" label={t.answers} verb={myAccount.change} />,
    ),
    row(t.close, t.closeValue, <AccountVerb to="myClosing" label={t.close} verb={t.goOn} />),
  ];
  return (
    <>
      <BackToAccount />
      <PageHeading lead={t.lead}>{t.title}</PageHeading>
      {search.includes('saved=1') && <Note icon="check">{myAccount.saved}</Note>}
      {!account.isFresh && <StepUp account={account} />}
      <AccountRows rows={account.isFresh ? [...copies, ...others] : others} />
    </>
  );
}

const row = (label: string, value: string, verb: ReactNode) => ({
  key: label,
  label,
  value,
  verb,
});

type FileLinkProps = { readonly href: string; readonly label: string; readonly verb: string };

function FileLink({ href, label, verb }: FileLinkProps) {
  return (
    <a
      className={buttonClass('soft')}
      href={href}
      aria-label={fill(myAccount.verbOf, { verb, row: label })}
    >
      {verb}
    </a>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: MyData, panel: accountPanel };
