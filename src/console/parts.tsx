import type { ReactNode } from 'react';
import { fill } from '#locales/fill.ts';
import { consoleTexts as t } from '#locales/operator/console.ts';
import { Alert } from '#portal/ui/alert.tsx';
import { buttonClass } from '#portal/ui/button.tsx';
import { Icon, type IconName } from '#portal/ui/icon.tsx';
import styles from './parts.module.css';

type LinkProps = { readonly href: string; readonly children: string };

/** Renders the way back, above the title. */
export const Back = ({ href, children }: LinkProps) => (
  <p>
    <a className={`${styles.tap} ${styles.back}`} href={href}>
      <Icon name="arrow-left" />
      {children}
    </a>
  </p>
);

/** Renders a link that looks like a button. */
export const ButtonLink = ({ href, children }: LinkProps) => (
  <a className={buttonClass('secondary')} href={href}>
    {children}
  </a>
);

/** Renders the way on below the content of a page. */
export const Way = (link: LinkProps) => (
  <p className={styles.way}>
    <ButtonLink {...link} />
  </p>
);

type SubmitProps = {
  readonly label: string;
  readonly isGrave: boolean;
  /** What leaves the form. */
  readonly children: ReactNode;
};

/** Renders the button that sends a form, and beside it the way out of it. */
export const Submit = ({ label, isGrave, children }: SubmitProps) => (
  <p className={styles.buttons}>
    <button
      type="submit"
      className={`${buttonClass('primary', false)} ${isGrave ? styles.danger : ''}`}
    >
      {label}
    </button>
    {children}
  </p>
);

type DoneProps = { readonly words: string | null; readonly tone?: 'success' | 'info' };

/** Renders what was done a moment ago; nothing where it is `null`. */
export const Done = ({ words, tone = 'success' }: DoneProps) =>
  words && (
    <Alert tone={tone} role="status">
      {words}
    </Alert>
  );

export type Tone = 'ok' | 'bad' | 'wait' | 'off';

const TONE_ICON: Readonly<Record<Tone, IconName>> = {
  ok: 'circle-check',
  bad: 'octagon-alert',
  wait: 'clock',
  off: 'pause',
};

type StateProps = { readonly tone: Tone; readonly children: ReactNode };

/** Renders how something is, in its color and with its icon; the words say the same. */
export const State = ({ tone, children }: StateProps) => (
  <span className={tone === 'off' ? styles.state : `${styles.state} ${styles[tone]}`}>
    <Icon name={TONE_ICON[tone]} />
    {children}
  </span>
);

type Choice = { readonly href: string; readonly label: string; readonly isCurrent: boolean };
type ChoicesProps = { readonly label: string; readonly choices: readonly Choice[] };

/** Renders links of which one is the page's own. */
export const Choices = ({ label: name, choices }: ChoicesProps) => (
  <nav className={styles.choices} aria-label={name}>
    {choices.map(({ href, label, isCurrent }) => (
      <a
        key={label}
        className={styles.tap}
        href={href}
        aria-current={isCurrent ? 'true' : undefined}
      >
        {label}
      </a>
    ))}
  </nav>
);

type PagesProps = {
  readonly page: number;
  readonly pages: number;
  readonly hrefOf: (page: number) => string;
};

/** Renders the links to the pages before and after this one, if there are several. */
export function Pages({ page, pages, hrefOf }: PagesProps) {
  if (pages <= 1) return null;
  return (
    <nav className={styles.pages} aria-label={t.pages}>
      {page > 1 && (
        <a className={styles.tap} href={hrefOf(page - 1)}>
          {t.previous}
        </a>
      )}
      <span>{fill(t.pageOf, { page, pages })}</span>
      {page < pages && (
        <a className={styles.tap} href={hrefOf(page + 1)}>
          {t.next}
        </a>
      )}
    </nav>
  );
}
