import { signIn as t } from '#locales/en/sign-in.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Step } from '../../ui/step.tsx';
import { Pill } from '../../ui/pill.tsx';
import { useAppContext, useFlowAt, useView } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import type { EntryPoint } from '#domain/role-routing.ts';
import { ContinueAs } from '../../flow/continue-as.tsx';
import { SignInForm } from '../../flow/sign-in-form.tsx';
import { SessionTimeout } from './session-timeout.tsx';

const titleFor = (entryPoint: EntryPoint) => (entryPoint === 'legalStaff' ? t.staffTitle : t.title);

/** Sign-in, at the portal's and at the staff's entry point (SIN-01..08). */
function SignIn() {
  const { notice } = useAppContext().flashMessage.get();
  const { entryPoint, visit, search } = useView();
  const isStaff = entryPoint === 'legalStaff';
  // A message takes the room; two steps they are all the same.
  const hasProblem = Boolean(useFlowAt('signIn')?.problem);
  const isExpired = /[?&]expired\b/i.test(search);
  return (
    <>
      <PageHeading
        lead={!hasProblem && t.lead}
        above={
          <>
            {!hasProblem && <Step n={1} />}
            {isStaff && (
              <Pill icon="briefcase" tone="slate">
                {t.staffBadge}
              </Pill>
            )}
          </>
        }
      >
        {titleFor(entryPoint)}
      </PageHeading>
      {isExpired && <SessionTimeout />}
      {notice && <Alert tone="info">{notice}</Alert>}
      {visit.login && <ContinueAs login={visit.login} entryPoint={entryPoint} />}
      <SignInForm entryPoint={entryPoint} />
    </>
  );
}

export const screen: ScreenModule = {
  title: ({ entryPoint }) => titleFor(entryPoint),
  View: SignIn,
};
