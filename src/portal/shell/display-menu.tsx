import { useRef, useState, type ComponentType, type RefObject } from 'react';
import { shell } from '#texts/shell.ts';
import { Icon } from '../ui/icon.tsx';
import { oncePerPress } from '../ui/press-guard.ts';
import styles from './display-menu.module.css';

export type PanelProps = {
  /** The button that opened it, which gets the focus back. */
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
};

const loadPanel = () => import('./display-panel.tsx');

/** Preloads, on hover or focus; a failure does not matter yet. */
function preload() {
  loadPanel().catch(() => undefined);
}

/** Renders the button of the display settings. The panel's chunk loads on hover, focus or press. */
export function DisplayMenu() {
  const [isOpen, setOpen] = useState(false);
  const [Panel, setPanel] = useState<ComponentType<PanelProps> | null>(null);
  const button = useRef<HTMLButtonElement>(null);

  const toggle = () => {
    setOpen(!isOpen);
    loadPanel().then(
      ({ DisplayPanel }) => setPanel(() => DisplayPanel),
      () => setOpen(false),
    );
  };

  return (
    <div className={`script-only ${styles.menu}`}>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-expanded={isOpen}
        aria-controls={isOpen && Panel ? 'display-panel' : undefined}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={oncePerPress(toggle)}
      >
        <Icon name="a-large-small" />
        <span>{shell.display.button}</span>
      </button>
      {isOpen && Panel && <Panel button={button} onClose={() => setOpen(false)} />}
    </div>
  );
}
