import { passwords as t } from '#locales/en/passwords.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/screens.ts';
import { useLink } from '../../flow/link.ts';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { BackLink } from '../../ui/link-row.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import styles from './forgot-password.module.css';

/** 'Check your email' in place of the form, with the address as it was typed and a way to try again. */
export function CheckEmail({ email, onAgain }: { email: string; onAgain: () => void }) {
  const back = useLink(pathOf('signIn'));
  return (
    <>
      <Drawing name="mail-doorway" />
      <PageHeading key="sent">{t.checkTitle}</PageHeading>
      <div className={styles.body}>
        <p>{t.linkSent}</p>
        <p>{fill(t.sentTo, { email })}</p>
        <p>{t.notThere}</p>
      </div>
      <div className={styles.ways}>
        <Button variant="secondary" onClick={onAgain}>
          {t.tryAgain}
        </Button>
        <BackLink {...back}>{t.backToLogin}</BackLink>
      </div>
    </>
  );
}
