import { delivery } from '#texts/delivery.ts';
import styles from './verify-otp.module.css';

/**
 * Shows words that end in a time. On a phone "am" and "pm" are only read out: the line is short there. Its style may keep
 * room for the longest state.
 */
export function TimedWords({ text }: { readonly text: string }) {
  const [, words, half] = /^(.*?)( [ap]\.?\s?m\.?)?$/.exec(text) ?? [];
  return (
    <span data-room={delivery.longestState} data-half={delivery.half}>
      {words}
      {half && <span className={styles.half}>{half}</span>}
    </span>
  );
}
