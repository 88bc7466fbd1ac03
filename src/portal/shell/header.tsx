import { useEffect, useRef, useState } from 'react';
import type { Subtenant } from '#domain/people/subtenants.ts';
import { lamp } from '#texts/lamp.ts';
import { shell } from '#texts/shell.ts';
import { Icon } from '../ui/icon.tsx';
import { DisplayMenu } from './display-menu.tsx';
import lampStyles from './lamp.module.css';
import { NativeDisplay } from './native-display.tsx';
import { TextSize } from './text-size.tsx';
import styles from './header.module.css';

/** The header's data of a subtenant. An empty name: its details did not load. */
export type Brand = Pick<Subtenant, 'name' | 'logoUrl'>;

type HeaderProps = {
  screenKey: number;
  subtenant: Brand;
  /** Whether the help desk is open now, as far as is known; the lamp is lit then. */
  isLit: boolean;
  className: string | undefined;
};

/** Logo and lamp at the start, reading controls at the end. */
export function Header({ screenKey, subtenant, isLit, className }: HeaderProps) {
  return (
    <header className={className}>
      <div className={styles.start}>
        <Logo key={subtenant.logoUrl} {...subtenant} />
        <Lamp isLit={isLit} />
      </div>
      <div key={screenKey} className={styles.controls}>
        <TextSize />
        <DisplayMenu />
        <noscript>{import.meta.env.SSR && <NativeDisplay />}</noscript>
      </div>
    </header>
  );
}

/** The id of the card that it opens (help-card.tsx). */
const CARD = 'help-card';

/** Renders the help button, in the same place on every page. The browser opens the card itself, without script. */
function Lamp({ isLit }: { isLit: boolean }) {
  const words = (
    <>
      <Icon name={isLit ? 'lamp' : 'lamp-out'} />
      {lamp.button}
    </>
  );
  return (
    <>
      <button type="button" className={lampStyles.lamp} popoverTarget={CARD}>
        {words}
      </button>
      {/* For browsers without popovers. */}
      <a href="/help" className={`${lampStyles.lamp} ${lampStyles.link}`}>
        {words}
      </a>
    </>
  );
}

type LogoShape = 'square' | 'wide' | 'broken';

/** Renders the logo. A wide one contains the name; beside a square one the name is text, and grows with the text. */
function Logo({ name, logoUrl }: Brand) {
  const image = useRef<HTMLImageElement>(null);
  const [shape, setShape] = useState<LogoShape>(logoUrl ? 'square' : 'broken');
  const look = (img: HTMLImageElement) => {
    if (img.naturalWidth > 1.6 * img.naturalHeight) setShape('wide');
  };
  useEffect(() => {
    const img = image.current;
    if (!img?.complete) return;
    // It may have loaded or failed before the listeners were attached. An SVG without a size counts as loaded.
    if (img.naturalWidth === 0) setShape('broken');
    else look(img);
  }, []);

  if (shape === 'broken') {
    return (
      <div className={styles.brand}>
        <Icon name="mark" className={styles.fallback} />
        <span>{name || shell.productName}</span>
      </div>
    );
  }
  return (
    <div className={styles.brand}>
      <img
        ref={image}
        // Asked for after the first paint, in a place that is kept.
        loading="lazy"
        className={shape === 'wide' ? `${styles.logo} ${styles.wide}` : styles.logo}
        src={logoUrl}
        alt={name || shell.unknownLogo}
        height="40"
        referrerPolicy="no-referrer"
        onLoad={(event) => look(event.currentTarget)}
        onError={() => setShape('broken')}
      />
      {shape === 'square' && <span aria-hidden="true">{name}</span>}
    </div>
  );
}
