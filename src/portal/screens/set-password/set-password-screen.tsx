import { passwords as t } from '#texts/passwords.ts';
import { fieldProblem } from '../../flow/form-problem.tsx';
import { PageProblem } from '../../flow/page-problem.tsx';
import { NewPasswordForm } from '../../flow/new-password-form.tsx';
import { useFlowAt, useAppContext } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { useForm } from '../../lib/form.ts';
import { newPasswordProblems, type NewPasswordField } from '../../lib/new-password.ts';
import { PageHeading } from '../../ui/page-heading.tsx';

/** Sets the first password of an account that an operator or program created (OTP-10, PWD-05). */
function SetPassword() {
  const { flow } = useAppContext();
  const state = useFlowAt('setPassword');
  const form = useForm<NewPasswordField>({
    id: 'set-password',
    validate: newPasswordProblems,
    async onSubmit(values) {
      await flow.send({ type: 'passwordChosen', password: values.text('password') });
      const after = flow.get();
      return after.at === 'setPassword' ? fieldProblem(after.problem) : {};
    },
  });
  return (
    <>
      <PageHeading>{t.setTitle}</PageHeading>
      <PageProblem problem={state?.problem} form="set-password" />
      <NewPasswordForm form={form} userName={state?.proof.email ?? ''} />
    </>
  );
}

export const screen: ScreenModule = { title: () => t.setTitle, View: SetPassword };
