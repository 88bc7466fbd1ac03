import styles from './verify-otp.module.css';

type TimedWordsProps = {
  readonly text: string;
  /** The longest text of this place, for its style. */
  readonly room?: Readonly<Record<`data-${string}`, string>>;
};

/** Shows words that end in a time. On a phone "am" and "pm" are only read out: the line is short there. */
export function TimedWords({ text, room }: TimedWordsProps) {
  const [, words, half] = /^(.*?)( [ap]\.?\s?m\.?)?$/.exec(text) ?? [];
  return (
    <span {...room}>
      {words}
      {half && <span className={styles.half}>{half}</span>}
    </span>
  );
}
