import { invitation as t } from '#texts/invitation.ts';
import { passwords } from '#texts/passwords.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { LinkedInvitation } from '#contract/my-account.ts';
import { problemText } from '../../flow/account.tsx';
import { useAppContext } from '../../flow/app-context.ts';
import { HelpLines } from '../../flow/help-lines.tsx';
import { MessagePage } from '../../flow/message-page.tsx';
import { OrganisationButton } from '../../flow/organisation-button.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { Address } from '../../ui/contacts.tsx';
import { HiddenUserName } from '../../ui/hidden-user-name.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PasswordPair } from '../../ui/password-pair.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';
import styles from './invitation.module.css';

/** Says who invites, to which house and for what; the account begins with the answer. Opening the page changes nothing. */
function Invitation() {
  const { link } = useAppContext().boot;
  const { invitation, state } = link ?? {};
  if (state === 'accepted' || state === 'declined') return <Closed state={state} />;
  if (!invitation) return <Closed state="over" />;
  const { by, house, role, email, signedInAs } = invitation;
  return (
    <>
      <PageHeading>{fill(t.title, { by })}</PageHeading>
      <dl className={styles.facts}>
        <dt>{t.where}</dt>
        <dd>{house}</dd>
        <dt>{t.what}</dt>
        <dd>{role}</dd>
        <dt>{t.email}</dt>
        <dd>
          <Address email={email} />
        </dd>
      </dl>
      <div className={styles.ways}>
        {signedInAs === null ? <Yes of={invitation} /> : <SignOutFirst name={signedInAs} />}
        <NativeForm id="decline">
          <Submit name="do" value="decline" variant="quiet" wide>
            {t.decline}
          </Submit>
        </NativeForm>
      </div>
    </>
  );
}

/** The house's own sign-in is the first way where it has one. */
function Yes({ of }: { readonly of: LinkedInvitation }) {
  const { organisation, key, email, problems } = of;
  const shown = Object.fromEntries(
    Object.entries(problems).map(([field, problem]) => [field, problemText(problem)]),
  );
  return (
    <>
      {organisation && (
        <OrganisationButton {...organisation} to="invitation" invitation={key} variant="primary">
          {fill(t.byOrganisation, { label: organisation.label })}
        </OrganisationButton>
      )}
      <p>{organisation ? t.orPassword : t.password}</p>
      <NativeForm id="invitation">
        <HiddenUserName value={email} />
        <PasswordPair
          label={passwords.newPassword}
          confirmLabel={passwords.confirm}
          problems={shown}
          isWhole
        />
        <Submit variant={organisation ? 'secondary' : 'primary'} wide>
          {t.submit}
        </Submit>
      </NativeForm>
    </>
  );
}

function SignOutFirst({ name }: { readonly name: string }) {
  return (
    <NativeForm id="sign-out">
      <h2>{fill(t.signedIn, { name })}</h2>
      <p>{t.signedInText}</p>
      <Submit name="do" value="signOut" wide>
        {t.signOut}
      </Submit>
    </NativeForm>
  );
}

function Closed({ state }: { readonly state: 'accepted' | 'declined' | 'over' }) {
  const isAccepted = state === 'accepted';
  const action = { href: pathOf('signIn'), label: isAccepted ? t.signIn : t.toSignIn };
  const late = state === 'over' ? ({ thing: 'late' } as const) : {};
  return (
    <MessagePage door={isAccepted ? 'wide' : 'shut'} {...late} title={t[state]} action={action}>
      <p>{t.why[state]}</p>
      <p>
        <HelpLines />
      </p>
    </MessagePage>
  );
}

export const screen: ScreenModule = {
  title: () => t.plainTitle,
  View: Invitation,
  panel: ({ link }) => (link?.invitation ? { title: t.panelTitle, text: t.panelText } : null),
};
