import { pages as t } from '#locales/en/pages.ts';
import { ui } from '#locales/en/ui.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/screens.ts';
import { useLink } from '../../flow/link.ts';
import { useAppContext } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Alternative } from '../../ui/link-row.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import styles from './help.module.css';

/** Whom to call or write to; every screen links here in the same place. */
function Help() {
  const { phone, email } = useAppContext().boot.settings.help;
  const check = useLink(pathOf('browser'));
  return (
    <>
      <PageHeading lead={t.helpText}>{t.helpTitle}</PageHeading>
      <div className={styles.ways}>
        <a className={buttonClass('primary', true)} href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
          {fill(t.helpPhone, { phone })}
        </a>
        <a className={buttonClass('secondary', true)} href={`mailto:${email}`}>
          {fill(t.helpMail, { email })}
        </a>
        <Alternative>
          <a {...check}>{ui.checkBrowser}</a>
        </Alternative>
      </div>
    </>
  );
}

export const screen: ScreenModule = { title: () => t.helpTitle, View: Help };
