import { otp as t } from '#locales/en/otp.ts';
import { HelpLines } from '../../flow/help-lines.tsx';
import styles from './no-otp-help.module.css';

/** What to do when no code arrives. */
export function NoOtpHelp() {
  return (
    <details className={styles.help}>
      <summary>{t.noCode}</summary>
      <ul>
        {[t.noCodeSpam, t.noCodeWait, t.noCodeAgain].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>
        <HelpLines />
      </p>
    </details>
  );
}
