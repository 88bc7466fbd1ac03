import { useEffect } from 'react';
import { passwords as t } from '#texts/passwords.ts';
import { ui } from '#texts/ui.ts';
import { stillOf } from '#domain/looks/porch-door.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useAppContext } from '../../flow/app-context.ts';
import { HelpLines } from '../../flow/help-lines.tsx';
import { useLink } from '../../flow/link.ts';
import { Button } from '../../ui/button.tsx';
import { Address, fillNodes } from '../../ui/contacts.tsx';
import { BackLink } from '../../ui/link-row.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import styles from './forgot-password.module.css';

export type Sent = {
  readonly email: string;
  /** The time of the mail, if it was sent earlier. */
  readonly note: string | null;
};

/** Shows 'Check your email' in place of the form, with the entered address and a link to try again. */
export function CheckEmail({ sent, onAgain }: { sent: Sent; onAgain: () => void }) {
  const back = useLink(pathOf('signIn'));
  const { door } = useAppContext();
  useEffect(() => {
    door.set('half');
    return () => door.set(stillOf('forgotPassword'));
  }, [door]);
  return (
    <>
      <PageHeading key="sent">{t.checkTitle}</PageHeading>
      <div className={styles.body}>
        <p>{t.linkSent}</p>
        <p>{fillNodes(t.sentTo, { email: <Address email={sent.email} /> })}</p>
        {sent.note !== null && <p>{sent.note}</p>}
        <p>{t.notThere}</p>
        <p>
          <HelpLines />
        </p>
      </div>
      <div className={styles.ways}>
        <Button variant="secondary" action="again" onClick={onAgain}>
          {ui.tryAgain}
        </Button>
        <BackLink {...back}>{t.backToLogin}</BackLink>
      </div>
    </>
  );
}
