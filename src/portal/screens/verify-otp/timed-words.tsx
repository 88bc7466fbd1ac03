import styles from './verify-otp.module.css';

/** Shows words that end in a time. On a phone "am" and "pm" are only read out: the line is short there. */
export function TimedWords({ text }: { readonly text: string }) {
  const [, words, half] = /^(.*?)( [ap]m)?$/.exec(text) ?? [];
  return (
    <span>
      {words}
      {half && <span className={styles.half}>{half}</span>}
    </span>
  );
}
