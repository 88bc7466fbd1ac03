import { signIn as texts } from '#locales/en/sign-in.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Pill } from '../../ui/pill.tsx';
import { usePortal, useView } from '../../flow/app-context.ts';
import { OfflineNote } from '../../flow/offline-note.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import type { Entrance } from '#domain/role-routing.ts';
import { ContinueAs } from '../../flow/continue-as.tsx';
import { SignInForm } from '../../flow/sign-in-form.tsx';
import { SessionTimeout } from './session-timeout.tsx';

const titleFor = (entrance: Entrance) =>
  entrance === 'legalStaff' ? texts.staffTitle : texts.title;

/** Sign-in, at the portal's and at the staff's entrance (SIN-01..08). */
function SignIn() {
  const { notice } = usePortal().carried.get();
  const { entrance, visit, search } = useView();
  const isStaff = entrance === 'legalStaff';
  const isExpired = new URLSearchParams(search).has('expired');
  return (
    <>
      <PageHeading
        lead={texts.lead}
        above={
          isStaff && (
            <Pill icon="briefcase" tone="slate">
              {texts.staffBadge}
            </Pill>
          )
        }
      >
        {titleFor(entrance)}
      </PageHeading>
      {isExpired && <SessionTimeout />}
      {notice && <Alert tone="info">{notice}</Alert>}
      {visit.login && <ContinueAs login={visit.login} entrance={entrance} />}
      <OfflineNote />
      <SignInForm entrance={entrance} />
    </>
  );
}

export const screen: ScreenModule = {
  title: ({ entrance }) => titleFor(entrance),
  View: SignIn,
};
