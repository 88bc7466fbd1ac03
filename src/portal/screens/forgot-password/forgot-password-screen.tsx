import { useEffect } from 'react';
import { passwords as t } from '#texts/passwords.ts';
import { ui } from '#texts/ui.ts';
import { screenDoor } from '#domain/looks/porch-door.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useAppContext } from '../../flow/app-context.ts';
import { useLink } from '../../flow/link.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { useServerState } from '../../lib/form-actions.ts';
import { Button } from '../../ui/button.tsx';
import { Address } from '../../ui/contacts.tsx';
import { BackLink } from '../../ui/link-row.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ForgotForm } from './forgot-form.tsx';
import styles from './forgot-password.module.css';

/** Mails a link to set a new password (PWD-01..04). */
function ForgotPassword() {
  const [sent, setSent] = useServerState<Sent | null>('sent', null);
  if (sent !== null) return <CheckEmail sent={sent} onAgain={() => setSent(null)} />;
  return <ForgotForm onSent={(email, note) => setSent({ email, note })} />;
}

type Sent = {
  readonly email: string;
  /** The time of the mail, if it was sent earlier. */
  readonly note: string | null;
};

/** Shows 'Check your email' in place of the form, with the entered address, where to look, and a way to ask again. */
function CheckEmail({ sent, onAgain }: { sent: Sent; onAgain: () => void }) {
  const back = useLink(pathOf('signIn'));
  const { door } = useAppContext();
  useEffect(() => {
    door.set('half');
    return () => door.set(screenDoor('forgotPassword'));
  }, [door]);
  return (
    <>
      <BackLink {...back}>{t.backToLogin}</BackLink>
      <PageHeading key="sent">{t.checkTitle}</PageHeading>
      <div className={styles.body}>
        <p>
          {t.sentTo}{' '}
          <strong className={styles.to}>
            <Address email={sent.email} />
          </strong>
        </p>
        <p>{t.linkSent}</p>
        {sent.note !== null && <Note icon="clock">{sent.note}</Note>}
        <Note icon="search">{t.notThere}</Note>
      </div>
      <Button variant="secondary" action="again" onClick={onAgain}>
        {t.askAgain}
      </Button>
    </>
  );
}

export const screen: ScreenModule = {
  title: () => ui.forgotPassword,
  View: ForgotPassword,
  thing: 'letter',
};
