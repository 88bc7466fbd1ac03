import doorAjarCone from '../assets/door-ajar-cone.svg';
import brokenChain from '../assets/broken-chain.svg';
import doorClosedLamp from '../assets/door-closed-lamp.svg';
import doorOpen from '../assets/door-open.svg';
import keyInLock from '../assets/key-in-lock.svg';
import letterClock from '../assets/letter-clock.svg';
import mailDoorway from '../assets/mail-doorway.svg';
import signpost from '../assets/signpost.svg';
import styles from './drawing.module.css';

const DRAWINGS = {
  'broken-chain': brokenChain,
  'door-ajar-cone': doorAjarCone,
  'door-closed-lamp': doorClosedLamp,
  'door-open': doorOpen,
  'key-in-lock': keyInLock,
  'letter-clock': letterClock,
  'mail-doorway': mailDoorway,
  signpost,
} as const;

/** The picture of a one-message page; the words beside it say the same. */
export function Drawing({ name }: { name: keyof typeof DRAWINGS }) {
  return (
    <img
      className={styles.drawing}
      src={DRAWINGS[name]}
      alt=""
      width="160"
      height="160"
      data-drawing
    />
  );
}
