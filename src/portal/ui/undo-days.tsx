import styles from './undo-days.module.css';

type UndoDaysProps = {
  readonly title: string;
  readonly text: string;
  readonly days: readonly string[];
};

/** Renders the time of an undo as lit windows, one a day. The words say the same. */
export function UndoDays({ title, text, days }: UndoDaysProps) {
  return (
    <section className={styles.box}>
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      <ul className={styles.days}>
        {days.map((day) => (
          <li key={day}>
            <svg viewBox="0 0 56 64" aria-hidden="true">
              <path className={styles.frame} d="M6 60V28a22 22 0 0 1 44 0v32z" />
              <path className={styles.pane} d="M11 55V28a17 17 0 0 1 34 0v27z" />
              <path className={styles.frame} d="M26 11h4v44h-4zM11 34h34v4H11zM3 58h50v5H3z" />
            </svg>
            {day}
          </li>
        ))}
      </ul>
    </section>
  );
}
