import { passwords as t } from '#texts/passwords.ts';
import { StillWorking } from './late.tsx';
import type { Form } from '../lib/form.ts';
import type { NewPasswordField } from '../lib/new-password.ts';
import { Button } from '../ui/button.tsx';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { HiddenUserName } from '../ui/hidden-user-name.tsx';
import { PasswordPair } from '../ui/password-pair.tsx';

/** Renders the form of reset and set password (PWD-05). `userName` is the address for password managers; `''`: unknown. */
export function NewPasswordForm({
  form,
  userName,
}: {
  form: Form<NewPasswordField>;
  userName: string;
}) {
  return (
    <>
      <ErrorSummary rows={form.summary} />
      <form {...form.props}>
        {userName !== '' && <HiddenUserName value={userName} />}
        <PasswordPair
          label={t.newPassword}
          confirmLabel={t.confirm}
          problems={form.problems}
          isWhole
        />
        <Button type="submit" pending={form.isPending} pendingLabel={t.pending}>
          {t.submit}
        </Button>
        <StillWorking form={form} />
      </form>
    </>
  );
}
