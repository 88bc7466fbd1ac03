import { myAccount } from '#texts/my-account.ts';
import { fill } from '#locales/fill.ts';
import {
  accountPanel,
  BackToAccount,
  problemText,
  useAccount,
  useProblem,
} from '../../flow/account.tsx';
import { StepUp } from '../../flow/step-up.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { useNativeForm } from '../../lib/form-actions.ts';
import { Alert } from '../../ui/alert.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Submit } from '../../ui/submit.tsx';

const t = myAccount.closing;

/** Closes the account, or keeps one that was to be closed. */
function MyClosing() {
  const account = useAccount();
  const problem = useProblem('form');
  useNativeForm('closing');
  if (!account) return null;
  const { closesOn, contacts, isFresh } = account;
  if (closesOn !== null) {
    return (
      <>
        <BackToAccount />
        <PageHeading lead={fill(t.keepLead, { date: closesOn })}>{t.keepTitle}</PageHeading>
        <form id="closing" method="post">
          <Submit name="do" value="keep">
            {t.keep}
          </Submit>
        </form>
      </>
    );
  }
  // A thief must not erase what an undo gives back: the press would be refused.
  if (contacts.undo !== null) {
    return (
      <>
        <BackToAccount />
        <PageHeading lead={problemText({ message: 'closesLater', minutes: 0 })}>
          {t.title}
        </PageHeading>
      </>
    );
  }
  return (
    <>
      <BackToAccount />
      <PageHeading lead={t.lead}>{t.title}</PageHeading>
      {problem && (
        <Alert tone="danger" role="alert">
          {problem}
        </Alert>
      )}
      <Note icon="clock">{t.changeMind}</Note>
      <Note icon="layout-grid">{t.apps}</Note>
      {isFresh ? (
        <form id="closing" method="post">
          <Submit name="do" value="close" variant="secondary" wide>
            {t.close}
          </Submit>
        </form>
      ) : (
        <StepUp account={account} />
      )}
    </>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: MyClosing, panel: accountPanel };
