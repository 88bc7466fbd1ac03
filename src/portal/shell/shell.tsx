import type { ReactNode } from 'react';
import type { Door } from '#domain/looks/door.ts';
import type { Thing } from '#domain/looks/porch-door.ts';
import type { Panel } from '../flow/view.ts';
import { shell } from '#texts/shell.ts';
import { Icon } from '../ui/icon.tsx';
import { LiveRegions } from '../ui/live-region.tsx';
import { Porch } from '../ui/porch.tsx';
import skipLink from '../ui/skip-link.module.css';
import { ToastSlot } from '../ui/toast-slot.tsx';
import { Banner } from './banner.tsx';
import { Header, type Brand } from './header.tsx';
import { StillPanel } from './still-panel.tsx';
import styles from './shell.module.css';

type ShellProps = {
  /** Each screen has nodes of its own: none of them moves from its place on the screen before. */
  screenKey: number;
  subtenant: Brand;
  /** The side of the page: the news, a still porch, or nothing, which gives the page a wider column. */
  aside: 'news' | Panel | null;
  asideSide: 'end' | 'start';
  isLit: boolean;
  door: Door;
  thing: Thing | undefined;
  /** Phones have the porch as a strip above the title. */
  hasCrown: boolean;
  children: ReactNode;
};

/** Renders the frame around every screen, in reading order. */
export function Shell(props: ShellProps) {
  const { screenKey, subtenant, aside, asideSide, isLit, door, thing, hasCrown, children } = props;
  const panel = aside === 'news' ? null : aside;
  const classes = [
    styles.grid,
    aside ? styles.split : styles.full,
    aside && asideSide === 'start' && styles.start,
    panel && (panel.isNear ? styles.still : `${styles.still} ${styles.narrow}`),
  ];
  return (
    <>
      <div className={styles.page}>
        <SkipLink />
        <div
          className={classes.filter(Boolean).join(' ')}
          data-aside={aside === 'news' ? asideSide : 'none'}
        >
          <Header
            screenKey={screenKey}
            subtenant={subtenant}
            isLit={isLit}
            className={styles.header}
          />
          <ToastSlot />
          {aside && hasCrown && (
            <Crown key={`crown ${screenKey}`} panel={panel} door={door} thing={thing} />
          )}
          <main key={screenKey} id="main" className={styles.main} tabIndex={-1}>
            <div className={styles.column}>{children}</div>
          </main>
          <Footer key={`footer ${screenKey}`} />
          {aside && (
            <div className={styles.aside}>
              {panel ? (
                <StillPanel panel={panel} door={door} thing={thing} />
              ) : (
                <Banner door={door} thing={thing} />
              )}
            </div>
          )}
        </div>
      </div>
      <LiveRegions />
    </>
  );
}

/** The footer: the company, and help in the same place on every screen. */
function Footer() {
  return (
    <footer className={styles.footer}>
      <p className={styles.powered}>
        {shell.poweredBy} <Icon name="mark" /> {shell.productName}
      </p>
      <p>
        {shell.helpLead} <a href="/help">{shell.helpLink}</a>
      </p>
    </footer>
  );
}

/**
 * Renders the first tab stop, which skips the header. Only the focus moves: a step to `#main` in the history would
 * count as Back, and the screen would be rendered anew without its input.
 */
function SkipLink() {
  return (
    <a
      className={skipLink.skip}
      href="#main"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}
    >
      {shell.skip}
    </a>
  );
}

type CrownProps = Pick<ShellProps, 'door' | 'thing'> & { readonly panel: Panel | null };

function Crown({ panel, door, thing }: CrownProps) {
  const drawing = panel?.drawing;
  return (
    <div className={`${styles.crown} ${drawing ? styles.tall : ''}`}>
      {drawing?.strip ?? (
        <Porch door={door} thing={thing} view={panel?.isNear ? 'nearCrown' : 'crown'} />
      )}
    </div>
  );
}
