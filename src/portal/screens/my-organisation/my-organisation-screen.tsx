import { myOrganisation as t } from '#texts/my-organisation.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { AccountOrganisation } from '#contract/organisation.ts';
import type { AccountData } from '#contract/my-account.ts';
import { AccountPage, accountPanel, useAccount, useProblem } from '../../flow/account.tsx';
import { OrganisationButton } from '../../flow/organisation-button.tsx';
import { StepUp } from '../../flow/step-up.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { Alert } from '../../ui/alert.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Contacts, fillNodes } from '../../ui/contacts.tsx';
import { Note } from '../../ui/note.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';

/** Links the account to the person who signed in at the organisation, or ends that link (ORG-11). */
function MyOrganisation() {
  const account = useAccount();
  const problem = useProblem('organisation');
  const of = account?.organisation;
  return (
    <AccountPage title={t.title} lead={t.lead}>
      {problem && <Alert tone="danger">{problem}</Alert>}
      {account && of && <Link account={account} of={of} />}
    </AccountPage>
  );
}

type LinkProps = { readonly account: AccountData; readonly of: AccountOrganisation };

function Link({ account, of }: LinkProps) {
  const { id, label, linkedAs, asked, isKept, handOver } = of;
  const state = linkedAs && (
    <Note icon="circle-check">{fillNodes(t.linkedAs, { name: <Contacts to={linkedAs} /> })}</Note>
  );
  if (isKept) {
    return (
      <>
        {state}
        <p>{fill(t.kept, { label })}</p>
      </>
    );
  }
  if (!account.isFresh) {
    return (
      <>
        {state}
        <StepUp account={account} why={t.stepUp} />
      </>
    );
  }
  if (linkedAs) {
    return (
      <NativeForm id="organisation">
        {state}
        {handOver && <p>{fill(t.handOver[handOver], { label })}</p>}
        {handOver === 'asked' && (
          <Submit name="do" value="handOver">
            {fill(t.agree, { label })}
          </Submit>
        )}
        <Submit name="do" value="unlink" variant="secondary">
          {t.unlink}
        </Submit>
        <Note icon="shield-check">{t.stays}</Note>
      </NativeForm>
    );
  }
  if (asked) {
    const names = { there: <b>{asked}</b>, here: <b>{account.email}</b> };
    return (
      <NativeForm id="organisation">
        <p>{fillNodes(t.ask, names)}</p>
        <Submit name="do" value="link">
          {t.yes}
        </Submit>
        <a className={buttonClass('secondary', true)} href={pathOf('myAccount')}>
          {t.no}
        </a>
      </NativeForm>
    );
  }
  return (
    <>
      <OrganisationButton id={id} label={label} to="link" variant="primary">
        {fill(t.goThere, { label })}
      </OrganisationButton>
      <Note icon="info">{t.comeBack}</Note>
    </>
  );
}

export const screen: ScreenModule = {
  title: () => t.title,
  View: MyOrganisation,
  panel: accountPanel,
};
