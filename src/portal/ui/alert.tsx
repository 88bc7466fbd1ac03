import type { ReactNode, Ref } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './alert.module.css';

export type Tone = 'danger' | 'success' | 'warning' | 'info';

/** The icon of a tone; danger and success differ by shape, not by colour alone. */
const TONE_ICON: Readonly<Record<Tone, IconName>> = {
  danger: 'octagon-alert',
  success: 'circle-check',
  warning: 'triangle-alert',
  info: 'info',
};

type AlertProps = {
  tone: Tone;
  title?: string | undefined;
  /** Leave out when a toast or `announce` says the same words. */
  role?: 'alert' | 'status';
  /** Makes the box focusable, for a server's message about the whole form. */
  focusRef?: Ref<HTMLDivElement>;
  children: ReactNode;
};

/** Renders a message that stays on the page. */
export function Alert({ tone, title, role, focusRef, children }: AlertProps) {
  return (
    <div
      className={tone === 'info' ? styles.alert : `${styles.alert} ${styles[tone]}`}
      role={role}
      ref={focusRef}
      tabIndex={focusRef ? -1 : undefined}
    >
      <Icon name={TONE_ICON[tone]} size="l" />
      <div className={styles.body}>
        {title && <h2 className={styles.title}>{title}</h2>}
        {typeof children === 'string' ? <p>{children}</p> : children}
      </div>
    </div>
  );
}
