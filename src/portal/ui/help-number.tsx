import type { HoursNow } from '#domain/text/opening-hours.ts';
import { Phone } from './contacts.tsx';
import { Icon } from './icon.tsx';
import styles from './help-number.module.css';

/** Renders the number of the help line in large type, on one line where it fits. */
export function HelpNumber({ phone }: { phone: string }) {
  return (
    <p className={styles.number}>
      <Phone number={phone} isLink />
    </p>
  );
}

/** Renders whether the line is open, and its hours. */
export function Hours({ hours }: { hours: HoursNow | null }) {
  if (!hours) return null;
  return (
    <div className={styles.hours}>
      <Icon name={hours.isOpen ? 'lamp' : 'lamp-out'} />
      <div>
        <strong>{hours.now}</strong>
        <p className={styles.week}>{hours.week.join(' ')}</p>
      </div>
    </div>
  );
}
