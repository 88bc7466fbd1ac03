import { myAccount } from '#texts/my-account.ts';
import { passwords } from '#texts/passwords.ts';
import { accountPanel, BackToAccount, useAccount, useProblem } from '../../flow/account.tsx';
import { StepUp } from '../../flow/step-up.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { useNativeForm } from '../../lib/form-actions.ts';
import { HiddenUserName } from '../../ui/hidden-user-name.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { PasswordPair } from '../../ui/password-pair.tsx';
import { Submit } from '../../ui/submit.tsx';

const t = myAccount.password;

/** Changes the password: by the one of now, or after a code. */
function MyPassword() {
  const account = useAccount();
  const problems = {
    password: useProblem('password'),
    confirmPassword: useProblem('confirmPassword'),
  };
  const wrong = useProblem('current');
  useNativeForm('new-password');
  if (!account) return null;
  return (
    <>
      <BackToAccount />
      <PageHeading lead={t.lead}>{t.title}</PageHeading>
      <form id="new-password" method="post">
        <HiddenUserName value={account.email} />
        {!account.isFresh && (
          <PasswordField
            name="current"
            label={t.now}
            required="unmarked"
            autoComplete="current-password"
            error={wrong}
          />
        )}
        <PasswordPair
          label={passwords.newPassword}
          confirmLabel={passwords.confirm}
          problems={problems}
          isWhole
        />
        <Submit>{passwords.submit}</Submit>
      </form>
      {!account.isFresh && (
        <>
          <p>{t.forgotten}</p>
          <StepUp account={account} />
        </>
      )}
    </>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: MyPassword, panel: accountPanel };
