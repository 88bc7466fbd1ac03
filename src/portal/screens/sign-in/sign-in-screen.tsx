import { lazy, Suspense, use } from 'react';
import { signIn as t } from '#texts/sign-in.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Step } from '../../flow/step-line.tsx';
import { Pill } from '../../ui/pill.tsx';
import {
  type OrganisationButtonsProps,
  ServerParts,
  useAppContext,
  useFlowAt,
  useView,
} from '../../flow/app-context.ts';
import type { ScreenModule, View } from '../../flow/view.ts';
import { ContinueAs } from '../../flow/continue-as.tsx';
import { SignInForm } from '../../flow/sign-in-form.tsx';
import { SessionTimeout } from './session-timeout.tsx';

/** Only a page with an organisation loads them: hydration waits for their script, and the server has it at once. */
const Buttons = import.meta.env.SSR
  ? ButtonsOfServer
  : lazy(async () => ({
      default: (await import('../../flow/organisation-buttons.tsx')).OrganisationButtons,
    }));

function ButtonsOfServer(props: OrganisationButtonsProps) {
  const { OrganisationButtons } = use(ServerParts);
  return OrganisationButtons && <OrganisationButtons {...props} />;
}

function titleFor({ entrance, visit }: Pick<View, 'entrance' | 'visit'>): string {
  if (visit.login) return t.alreadyIn;
  return entrance === 'legalStaff' ? t.staffTitle : t.title;
}

/** Shows sign-in, at the portal's and at the staff's entry point (SIN-01..08). */
function SignIn() {
  const { boot, flashMessage } = useAppContext();
  const { notice } = flashMessage.get();
  const { entrance, visit, search } = useView();
  const { login } = visit;
  const { organisations } = boot.subtenant;
  const isStaff = entrance === 'legalStaff';
  // A problem needs the space of the two steps.
  const hasProblem = Boolean(useFlowAt('signIn')?.problem);
  const isExpired = /[?&]expired\b/i.test(search);
  return (
    <>
      <PageHeading
        lead={!hasProblem && !login && (boot.sharedUse?.lead ?? t.lead)}
        above={
          <>
            {!hasProblem && !login && <Step n={1} />}
            {isStaff && (
              <Pill icon="briefcase" tone="slate">
                {t.staffBadge}
              </Pill>
            )}
          </>
        }
      >
        {titleFor({ entrance, visit })}
      </PageHeading>
      {isExpired && <SessionTimeout />}
      {notice && <Alert tone="info">{notice}</Alert>}
      <ContinueAs login={login} entrance={entrance}>
        {organisations && (
          <Suspense>
            <Buttons of={organisations} />
          </Suspense>
        )}
        <SignInForm entrance={entrance} />
      </ContinueAs>
    </>
  );
}

export const screen: ScreenModule = {
  title: titleFor,
  View: SignIn,
};
