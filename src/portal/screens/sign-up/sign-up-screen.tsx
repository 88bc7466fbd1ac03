import { signUp as t } from '#texts/sign-up.ts';
import { isAcademy } from '#domain/people/subtenants.ts';
import { useAppContext, useSubtenant } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { Alert } from '../../ui/alert.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Step } from '../../flow/step-line.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SignUpForm } from './sign-up-form.tsx';

/** Shows sign-up; subtenant 3 is the academy with its free trial (SUP-01..22). */
function SignUp() {
  const { notice } = useAppContext().flashMessage.get();
  const isTrial = isAcademy(useSubtenant().id);
  return (
    <>
      <PageHeading above={<Step n={1} />} below={isTrial && <Pill icon="sun">{t.trial}</Pill>}>
        {t.title}
      </PageHeading>
      {notice && <Alert tone="info">{notice}</Alert>}
      <SignUpForm isTrial={isTrial} />
    </>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: SignUp };
