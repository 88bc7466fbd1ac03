import { useEffect, useRef, useState, type ComponentType } from 'react';
import { shell } from '#locales/en/shell.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './display-menu.module.css';

const loadPanel = () => import('./display-panel.tsx');

/** Loads ahead, on hover or focus; a failure does not matter yet. */
function preload() {
  loadPanel().catch(() => undefined);
}

/** The button of the display settings. The panel's chunk loads on hover, focus or press. */
export function DisplayMenu() {
  const [isOpen, setOpen] = useState(false);
  const [Panel, setPanel] = useState<ComponentType | null>(null);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) setOpen(false);
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    document.addEventListener('keydown', escape);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
      document.removeEventListener('keydown', escape);
    };
  }, [isOpen]);

  const toggle = () => {
    setOpen(!isOpen);
    loadPanel().then(
      ({ DisplayPanel }) => setPanel(() => DisplayPanel),
      () => setOpen(false),
    );
  };

  return (
    <div className={styles.menu} ref={menu}>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-expanded={isOpen}
        aria-controls={isOpen && Panel ? 'display-panel' : undefined}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={toggle}
      >
        <Icon name="a-large-small" />
        {shell.display.button}
      </button>
      {isOpen && Panel && <Panel />}
    </div>
  );
}
