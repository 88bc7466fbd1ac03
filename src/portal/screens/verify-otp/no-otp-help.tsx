import { otp as texts } from '#locales/en/otp.ts';
import styles from './no-otp-help.module.css';

/** What to do when no code arrives. */
export function NoOtpHelp() {
  return (
    <details className={styles.help}>
      <summary>{texts.noCode}</summary>
      <ul>
        {[texts.noCodeSpam, texts.noCodeWait, texts.noCodeAgain].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}
