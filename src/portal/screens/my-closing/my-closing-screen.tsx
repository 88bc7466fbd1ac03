import { myAccount } from '#texts/my-account.ts';
import { fill } from '#locales/fill.ts';
import {
  AccountPage,
  accountPanel,
  problemText,
  useAccount,
  useProblem,
} from '../../flow/account.tsx';
import { StepUp } from '../../flow/step-up.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { Alert } from '../../ui/alert.tsx';
import { Note } from '../../ui/note.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';

const t = myAccount.closing;

/** Closes the account, or keeps one that was to be closed. */
function MyClosing() {
  const account = useAccount();
  const problem = useProblem('form');
  if (!account) return null;
  const { closesOn, contacts, isFresh } = account;
  if (closesOn !== null) {
    return (
      <AccountPage title={t.keepTitle} lead={fill(t.keepLead, { date: closesOn })}>
        <NativeForm id="closing">
          <Submit name="do" value="keep">
            {t.keep}
          </Submit>
        </NativeForm>
      </AccountPage>
    );
  }
  // A thief must not erase what an undo gives back: the press would be refused.
  if (contacts.undo !== null) {
    const why = problemText({ message: 'closesLater', minutes: 0 });
    return <AccountPage title={t.title} lead={why} />;
  }
  return (
    <AccountPage title={t.title} lead={t.lead}>
      {problem && (
        <Alert tone="danger" role="alert">
          {problem}
        </Alert>
      )}
      <Note icon="clock">{t.changeMind}</Note>
      <Note icon="layout-grid">{t.apps}</Note>
      {isFresh ? (
        <NativeForm id="closing">
          <Submit name="do" value="close" variant="secondary" wide>
            {t.close}
          </Submit>
        </NativeForm>
      ) : (
        <StepUp account={account} />
      )}
    </AccountPage>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: MyClosing, panel: accountPanel };
