import type { ReactNode } from 'react';
import { guide as t } from '#texts/guide.ts';
import { lamp } from '#texts/lamp.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useAppContext } from '../../flow/app-context.ts';
import { useLink } from '../../flow/link.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { Button } from '../../ui/button.tsx';
import { fillNodes, Phone } from '../../ui/contacts.tsx';
import { Icon } from '../../ui/icon.tsx';
import { BackLink } from '../../ui/link-row.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Porch } from '../../ui/porch.tsx';
import styles from './guide.module.css';

/**
 * Shows how to sign in, on one sheet of paper: three pictures, the number, a line for the address and none for a
 * password.
 */
function Guide() {
  const { boot, origin } = useAppContext();
  const { settings, hours } = boot;
  const back = useLink(pathOf('help'));
  const host = <strong>{new URL(origin).host}</strong>;
  return (
    <div data-has-number>
      <div className={styles.screenOnly}>
        <BackLink {...back}>{t.back}</BackLink>
      </div>
      <PageHeading lead={t.lead}>{t.title}</PageHeading>
      <div className={`script-only ${styles.screenOnly}`}>
        <Button variant="secondary" icon="printer" data-print>
          {lamp.print}
        </Button>
      </div>
      <ol className={styles.steps}>
        <Step n={1} title={t.findTitle} picture={<Porch door="shut" view="paper" />}>
          <p>{fillNodes(t.find, { host })}</p>
          <p>{fillNodes(t.type, { login: <strong>{t.login}</strong> })}</p>
        </Step>
        <Step n={2} title={t.codeTitle} picture={<Boxes />}>
          <p>{t.code}</p>
          <p>{fillNodes(t.enter, { verify: <strong>{t.verify}</strong> })}</p>
        </Step>
        <Step n={3} title={t.openTitle} picture={<Porch door="wide" view="paper" />}>
          <p>{t.opened}</p>
          <p>{fillNodes(t.leave, { signOut: <strong>{t.signOut}</strong> })}</p>
        </Step>
      </ol>
      <div className={styles.foot}>
        <div>
          <p>
            <strong>{t.call}</strong>
          </p>
          <p className={styles.number}>
            <Phone number={settings.help.phone} />
          </p>
          {hours?.week.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
        <p className={styles.line}>{t.email}</p>
      </div>
      <p className={styles.warning}>{t.warning}</p>
    </div>
  );
}

type StepProps = {
  readonly n: number;
  readonly title: string;
  readonly picture: ReactNode;
  readonly children: ReactNode;
};

function Step({ n, title, picture, children }: StepProps) {
  return (
    <li>
      <div className={styles.picture} aria-hidden="true">
        {picture}
      </div>
      <div>
        <h2>
          <span className={styles.n}>{n}</span> {title}
        </h2>
        {children}
      </div>
    </li>
  );
}

/** Draws the code page. */
function Boxes() {
  return (
    <div className={styles.boxes}>
      <p>
        <Icon name="mail" /> {t.mail} <Icon name="smartphone" /> {t.text}
      </p>
      <p>
        {['4', '0', '7', '', '2', '9', '1'].map((digit, at) => (
          <b key={at}>{digit}</b>
        ))}
      </p>
      <p>{t.verify}</p>
    </div>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: Guide };
