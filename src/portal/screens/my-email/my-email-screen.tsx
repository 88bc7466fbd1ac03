import { myAccount } from '#texts/my-account.ts';
import { accountPanel, useAccount, useProblem } from '../../flow/account.tsx';
import { ContactChange } from '../../flow/contact-change.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { Address, fillNodes } from '../../ui/contacts.tsx';
import { Note } from '../../ui/note.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';
import { TextField } from '../../ui/text-field.tsx';

const t = myAccount.contacts;

const WORDS = {
  title: t.emailTitle,
  lead: t.emailLead,
  check: t.checkEmail,
  use: t.useEmail,
  done: t.emailDone,
} as const;

/** Changes the email address: the new one counts after the code that goes there. */
function MyEmail() {
  const account = useAccount();
  const error = useProblem('email', 'code');
  if (!account) return null;
  const now = (
    <Note icon="mail">{fillNodes(t.emailNow, { email: <Address email={account.email} /> })}</Note>
  );
  return (
    <ContactChange contact="email" account={account} words={WORDS}>
      {account.contacts.isEmailHere ? (
        <NativeForm id="new-email" noValidate>
          {now}
          <TextField
            name="email"
            type="email"
            inputMode="email"
            autoComplete="email"
            label={t.newEmail}
            defaultValue={account.typed.email}
            error={error}
          />
          <Submit>{t.sendCode}</Submit>
        </NativeForm>
      ) : (
        <>
          {now}
          <p>{t.emailAway}</p>
        </>
      )}
    </ContactChange>
  );
}

export const screen: ScreenModule = {
  title: () => t.emailTitle,
  View: MyEmail,
  panel: accountPanel,
};
