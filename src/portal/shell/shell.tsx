import type { ReactNode } from 'react';
import type { Door } from '#domain/door.ts';
import { LiveRegions } from '../ui/live-region.tsx';
import { Porch } from '../ui/porch.tsx';
import { SkipLink } from '../ui/skip-link.tsx';
import { Banner } from './banner.tsx';
import { Footer } from './footer.tsx';
import { Header, type Brand } from './header.tsx';
import styles from './shell.module.css';

type ShellProps = {
  subtenant: Brand;
  /** `full` leaves the banner out and gives the page a wider column. */
  layout: 'banner' | 'full';
  bannerSide?: 'end' | 'start';
  door: Door;
  /** Phones have the porch as a strip above the title. */
  hasCrown: boolean;
  children: ReactNode;
};

/** The frame around every screen, in the order in which it is read. */
export function Shell(props: ShellProps) {
  const { subtenant, layout, bannerSide = 'end', door, hasCrown, children } = props;
  const isFull = layout === 'full';
  const side = bannerSide === 'start' ? styles.start : '';
  return (
    <>
      <div className={styles.page}>
        <SkipLink />
        <div className={`${styles.grid} ${isFull ? styles.full : `${styles.split} ${side}`}`}>
          <Header subtenant={subtenant} className={styles.header} />
          {!isFull && hasCrown && (
            <div className={styles.crown}>
              <Porch door={door} view="crown" />
            </div>
          )}
          <main id="main" className={styles.main} tabIndex={-1}>
            <div className={styles.column}>{children}</div>
          </main>
          <Footer className={styles.footer} poweredClass={styles.powered} />
          {!isFull && (
            <div className={styles.aside}>
              <Banner door={door} />
            </div>
          )}
        </div>
      </div>
      <LiveRegions />
    </>
  );
}
