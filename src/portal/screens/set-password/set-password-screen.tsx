import { passwords as texts } from '#messages/en/passwords.ts';
import { ui } from '#messages/en/ui.ts';
import { FormProblem } from '../../flow/form-problem.tsx';
import { OfflineNote } from '../../flow/offline-note.tsx';
import { useFlowAt, usePortal } from '../../flow/portal.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { useForm } from '../../lib/form.ts';
import { newPasswordProblems, type NewPasswordField } from '../../lib/new-password.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { HiddenUserName } from '../../ui/hidden-user-name.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PasswordPair } from '../../ui/password-pair.tsx';

/** The first password of an account that somebody else made (OTP-10, PWD-05). */
function SetPassword() {
  const { flow } = usePortal();
  const state = useFlowAt('setPassword');
  const form = useForm<NewPasswordField>({
    id: 'set-password',
    validate: newPasswordProblems,
    async onSubmit(values) {
      await flow.send({ type: 'passwordChosen', password: values.text('password') });
    },
  });
  return (
    <>
      <PageHeading>{texts.setTitle}</PageHeading>
      <OfflineNote />
      <FormProblem problem={state?.problem ?? null} />
      <ErrorSummary rows={form.summary} />
      <form {...form.props}>
        <HiddenUserName value={state?.proof.email ?? ''} />
        <PasswordPair
          label={texts.newPassword}
          confirmLabel={texts.confirm}
          problems={form.problems}
          lastKey="go"
        />
        <Button type="submit" pending={form.isPending} pendingLabel={texts.pending}>
          {texts.submit}
        </Button>
        {form.isSlow && <p>{ui.stillWorking}</p>}
      </form>
    </>
  );
}

export const screen: ScreenModule = { title: () => texts.setTitle, View: SetPassword };
