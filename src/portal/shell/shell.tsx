import type { ReactNode } from 'react';
import { shell } from '#locales/en/shell.ts';
import { Icon } from '../ui/icon.tsx';
import { LiveRegions } from '../ui/live-region.tsx';
import { SkipLink } from '../ui/skip-link.tsx';
import { ToastSlot } from '../ui/toast-slot.tsx';
import { Banner } from './banner.tsx';
import { Footer } from './footer.tsx';
import { Header, type Brand } from './header.tsx';
import styles from './shell.module.css';

type ShellProps = {
  subtenant: Brand;
  /** `full` leaves the banner out and gives the page a wider column. */
  layout: 'banner' | 'full';
  bannerSide?: 'end' | 'start';
  children: ReactNode;
};

/** The frame around every screen, in the order in which it is read. */
export function Shell({ subtenant, layout, bannerSide = 'end', children }: ShellProps) {
  const isFull = layout === 'full';
  const variant = isFull ? styles.full : bannerSide === 'start' ? styles.start : '';
  return (
    <>
      <div className={styles.page}>
        <SkipLink />
        <div className={`${styles.grid} ${variant}`}>
          <Header subtenant={subtenant} className={styles.header} />
          <main id="main" className={styles.main} tabIndex={-1}>
            <div className={styles.column}>
              {isFull && <Icon name="mark" className={styles.mark} />}
              {children}
            </div>
          </main>
          {!isFull && (
            <aside className={styles.aside} aria-label={shell.banner.label}>
              <Banner />
            </aside>
          )}
          <Footer className={styles.footer} poweredClass={styles.powered} />
        </div>
      </div>
      <ToastSlot />
      <LiveRegions />
    </>
  );
}
