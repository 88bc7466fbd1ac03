import type { Boot } from '#contract/boot.ts';
import { lamp as t } from '#texts/lamp.ts';
import { pageCode } from '#texts/page-code.ts';
import { buttonClass } from '../ui/button.tsx';
import { HelpNumber, Hours } from '../ui/help-number.tsx';
import { Icon } from '../ui/icon.tsx';
import { Note } from '../ui/note.tsx';
import styles from './lamp.module.css';

/**
 * Renders the card of the lamp. Only the server renders it, beside React's root: the browser opens and closes it
 * without any script. In print it stands below every page.
 */
export function HelpCard({ settings, hours }: Pick<Boot, 'settings' | 'hours'>) {
  const { phone, email } = settings.help;
  const isShut = hours?.isOpen === false;
  return (
    <section
      id="help-card"
      popover="auto"
      role="dialog"
      aria-labelledby="help-card-title"
      className={styles.card}
    >
      <div className={styles.inside}>
        <div className={styles.head}>
          {/* A popover's heading: it is part of the outline when open. */}
          <h2
            id="help-card-title"
            className={isShut ? styles.shut : undefined}
            tabIndex={-1}
            autoFocus
          >
            {isShut ? t.shut : t.open}
          </h2>
          <button
            type="button"
            className={styles.close}
            popoverTarget="help-card"
            popoverTargetAction="hide"
          >
            <Icon name="x" />
            {t.close}
          </button>
        </div>
        <HelpNumber phone={phone} />
        <Hours hours={hours} />
        <div className={styles.code}>
          <p>{pageCode.tell}</p>
          {/* The letters come when the card opens (flow/page-code.ts); without script the help page has them. */}
          <p data-page-code role="status">
            <a href="/help" className={styles.guide}>
              {pageCode.getCode}
            </a>
          </p>
          <p>{pageCode.showsPage}</p>
        </div>
        <Note icon="shield-check">{t.never}</Note>
        <div className={styles.ways}>
          <button type="button" data-print className={`script-only ${buttonClass('secondary')}`}>
            <Icon name="printer" />
            {t.print}
          </button>
          <a className={buttonClass('secondary')} href={`mailto:${email}`}>
            <Icon name="mail" />
            {t.write}
          </a>
        </div>
        <a href="/help/guide" className={styles.guide}>
          {t.guide}
        </a>
      </div>
    </section>
  );
}
