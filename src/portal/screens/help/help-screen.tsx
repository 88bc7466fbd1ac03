import { lamp as t } from '#texts/lamp.ts';
import { pageCode } from '#texts/page-code.ts';
import { pages } from '#texts/pages.ts';
import { ui } from '#texts/ui.ts';
import { telOf } from '#domain/text/contact-text.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useLink } from '../../flow/link.ts';
import { useAppContext } from '../../flow/app-context.ts';
import { getPageCode } from '../../flow/page-code.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { useServerState } from '../../lib/form-actions.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Address } from '../../ui/contacts.tsx';
import { HelpNumber, Hours } from '../../ui/help-number.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import styles from './help.module.css';

/** Shows the help contacts; every screen links here in the same place. */
function Help() {
  const { settings, hours } = useAppContext().boot;
  const { phone, email } = settings.help;
  const check = useLink(pathOf('browser'));
  const guide = useLink(pathOf('guide'));
  return (
    <>
      <PageHeading>{pages.helpTitle}</PageHeading>
      <div className={styles.card} data-has-number>
        <HelpNumber phone={phone} />
        <Hours hours={hours} />
        <a className={buttonClass('primary', true)} href={telOf(phone)}>
          <Icon name="phone" />
          {t.call}
        </a>
      </div>
      <h2 className={styles.title}>{t.before}</h2>
      <ul className={styles.ready}>
        <li>
          <Icon name="mail" />
          {t.ready}
        </li>
        <li>
          <Icon name="shield-check" />
          {t.never}
        </li>
      </ul>
      <div className={styles.ways}>
        <a className={buttonClass('secondary', true)} href={`mailto:${email}`}>
          <Icon name="mail" />
          {t.write}
        </a>
        <button
          type="button"
          data-print
          className={`script-only ${buttonClass('secondary', true)}`}
        >
          <Icon name="printer" />
          {t.print}
        </button>
      </div>
      <p className={styles.address}>
        <Address email={email} />
      </p>
      <PageCode />
      <p className={styles.links}>
        <a {...check}>{ui.checkBrowser}</a>
        <a {...guide}>{t.guide}</a>
      </p>
    </>
  );
}

/** Gives the letters that show the help desk this visit, with script and without. */
function PageCode() {
  const context = useAppContext();
  const [code, setCode] = useServerState('letters', '');
  return (
    <section className={styles.code}>
      <h2 className={styles.title}>{pageCode.tell}</h2>
      <p role="status">{code}</p>
      <Button
        variant="secondary"
        action="letters"
        onClick={async () => setCode(await getPageCode(context))}
      >
        {pageCode.getCode}
      </Button>
      <p className={styles.address}>{pageCode.showsPage}</p>
    </section>
  );
}

export const screen: ScreenModule = {
  title: () => pages.helpTitle,
  View: Help,
  panel: ({ hours }) => ({
    title: hours?.isOpen === false ? t.panelOut : t.panelLit,
    text: t.panelText,
    isNear: true,
  }),
};
