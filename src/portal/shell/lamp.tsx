import { lamp } from '#texts/lamp.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './lamp.module.css';

/** The id of the card that it opens (help-card.tsx). */
const CARD = 'help-card';

/** Renders the help button, in the same place on every page. The browser opens the card itself, without script. */
export function Lamp({ isLit }: { isLit: boolean }) {
  const words = (
    <>
      <Icon name={isLit ? 'lamp' : 'lamp-out'} />
      {lamp.button}
    </>
  );
  return (
    <>
      <button type="button" className={styles.lamp} popoverTarget={CARD}>
        {words}
      </button>
      {/* For browsers without popovers. */}
      <a href="/help" className={`${styles.lamp} ${styles.link}`}>
        {words}
      </a>
    </>
  );
}
