import styles from './verify-otp.module.css';

/** Words that end in a time. On a phone the half of the day is heard, and not shown: the line is short there. */
export function TimedWords({ text }: { readonly text: string }) {
  const [, words, half] = /^(.*?)( [ap]m)?$/.exec(text) ?? [];
  return (
    <span>
      {words}
      {half && <span className={styles.half}>{half}</span>}
    </span>
  );
}
