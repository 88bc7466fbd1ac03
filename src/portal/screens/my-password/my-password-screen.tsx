import { myAccount } from '#texts/my-account.ts';
import { passwords } from '#texts/passwords.ts';
import { AccountPage, accountPanel, useAccount, useProblem } from '../../flow/account.tsx';
import { StepUp } from '../../flow/step-up.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { HiddenUserName } from '../../ui/hidden-user-name.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { PasswordPair } from '../../ui/password-pair.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';

const t = myAccount.password;

/** Changes the password: by the one of now, or after a code. */
function MyPassword() {
  const account = useAccount();
  const problems = {
    password: useProblem('password'),
    confirmPassword: useProblem('confirmPassword'),
  };
  const wrong = useProblem('current');
  if (!account) return null;
  return (
    <AccountPage title={t.title} lead={t.lead}>
      <NativeForm id="new-password">
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
      </NativeForm>
      {!account.isFresh && (
        <>
          <p>{t.forgotten}</p>
          <StepUp account={account} />
        </>
      )}
    </AccountPage>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: MyPassword, panel: accountPanel };
