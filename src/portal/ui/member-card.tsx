import { Address } from './contacts.tsx';
import styles from './member-card.module.css';

/** Shows the signed-in person. */
export function MemberCard({ name, email }: { name: string; email: string }) {
  const words = name.split(/\s+/).filter(Boolean);
  const initials = [words[0], words.length > 1 ? words[words.length - 1] : '']
    .map((word) => word?.[0] ?? '')
    .join('');
  return (
    <div className={styles.card}>
      <span className={styles.initials} aria-hidden="true">
        {initials.toUpperCase()}
      </span>
      <div className={styles.who}>
        <p className={styles.name}>{name}</p>
        <p className={styles.email}>
          <Address email={email} />
        </p>
      </div>
    </div>
  );
}
