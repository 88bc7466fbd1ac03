import { myAccount } from '#texts/my-account.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { ACCOUNT_DATA_PATHS } from '#contract/routes.ts';
import { AccountPage, accountPanel, useAccount } from '../../flow/account.tsx';
import { useView } from '../../flow/app-context.ts';
import { StepUp } from '../../flow/step-up.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { AccountRows, linkRow } from '../../ui/account-rows.tsx';
import { Note } from '../../ui/note.tsx';

const t = myAccount.data;
const { html, json } = ACCOUNT_DATA_PATHS;

const COPIES = [
  linkRow({ label: t.read, value: t.readValue, href: html, verb: t.open }),
  linkRow({ label: t.page, value: t.pageValue, href: `${html}?file`, verb: t.getPage }),
  linkRow({ label: t.file, value: t.fileValue, href: `${json}?file`, verb: t.getFile }),
];
const OTHERS = [
  linkRow({ href: pathOf('myAnswers'), label: t.answers, value: t.answersValue }),
  linkRow({
    href: pathOf('myClosing'),
    label: t.close,
    value: t.closeValue,
    verb: myAccount.closing.close,
  }),
];

/** Shows the ways to one's data: to read, to keep, to change, to erase. */
function MyData() {
  const account = useAccount();
  const { search } = useView();
  if (!account) return null;
  return (
    <AccountPage title={t.title} lead={t.lead}>
      {search.includes('saved=1') && <Note icon="check">{myAccount.saved}</Note>}
      {!account.isFresh && <StepUp account={account} />}
      <AccountRows rows={account.isFresh ? [...COPIES, ...OTHERS] : OTHERS} />
    </AccountPage>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: MyData, panel: accountPanel };
