import { delivery as t } from '#locales/en/delivery.ts';
import { otp as otpTexts } from '#locales/en/otp.ts';
import { fill } from '#locales/fill.ts';
import { type Delivery, isComing } from '#domain/delivery.ts';
import { type Channel, channelsOf } from '#domain/otp.ts';
import type { PendingOtp } from '#domain/visit.ts';
import { stillPage } from '#locales/en/still-page.ts';
import { useView } from '../../flow/app-context.ts';
import { agoText } from '../../lib/time-words.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { stateText } from './state-text.ts';
import styles from './envelopes.module.css';

type Message = Delivery['messages'][number];

const CHANNEL_ICONS: Readonly<Record<Channel, IconName>> = {
  email: 'mail',
  sms: 'smartphone',
  whatsapp: 'smartphone',
};

const STATE_ICONS: Readonly<Record<Message['state'], IconName>> = {
  queued: 'clock',
  sent: 'clock',
  delivered: 'check',
  failed: 'triangle-alert',
};

type EnvelopesProps = {
  readonly otp: PendingOtp;
  readonly delivery: Delivery | null;
  /** As the server knows it, for a browser without script. */
  readonly known: Delivery | null;
  /** The code's time is over, or it was tried too often. */
  readonly isOver: boolean;
};

/**
 * OTP-06, and a line for each message: where it goes and how far it is. The lines are there from the first byte on, so news
 * changes words and no heights. Where every message failed the card does not claim that the code was sent.
 */
export function Envelopes({ otp, delivery, known, isOver }: EnvelopesProps) {
  const { path, search } = useView();
  const { email, phone } = otp.sentTo;
  const isLost = delivery !== null && !isComing(delivery.messages);
  const isKnownLost = known !== null && !isComing(known.messages);
  const isLate = otp.remainingMs <= 0;
  return (
    <section
      className={`${styles.card} ${isLost || isKnownLost || isOver || isLate ? styles.lost : ''}`}
      aria-labelledby="sent"
      // A browser learns soon after what the server knows now.
      suppressHydrationWarning
    >
      <h2 id="sent">
        <span className="script-only">{headingOf(isLost, isOver)}</span>
        <noscript>{import.meta.env.SSR && headingOf(isKnownLost, isOver || isLate)}</noscript>
      </h2>
      <ul aria-label={t.label}>
        {channelsOf(otp.medium).map((channel) => {
          const message = delivery?.messages.find((each) => each.channel === channel);
          const state = message?.state ?? 'queued';
          const asDrawn = known?.messages.find((each) => each.channel === channel);
          return (
            <li key={channel} className={styles[state]}>
              <span className={`script-only ${styles.tile}`}>
                <Icon name={CHANNEL_ICONS[channel]} size="s" />
              </span>
              <noscript>
                {import.meta.env.SSR && (
                  <span className={styles[asDrawn?.state ?? 'queued']}>
                    <span className={styles.tile}>
                      <Icon name={CHANNEL_ICONS[channel]} size="s" />
                    </span>
                  </span>
                )}
              </noscript>
              <span className={styles.line}>
                <span className={styles.where}>
                  <span className="visually-hidden">{t.channels[channel]}: </span>
                  {channel === 'email'
                    ? email
                    : phone && fill(t.phoneEnding, { digits: phone.slice(-2) })}
                </span>{' '}
                <span className={`script-only ${styles.state}`}>
                  <Icon name={STATE_ICONS[state]} size="s" />
                  {message ? stateText(message) : t.onItsWay}
                </span>
                <noscript>
                  {import.meta.env.SSR && (
                    <span className={styles[asDrawn?.state ?? 'queued']}>
                      <span className={styles.state}>
                        <Icon name={STATE_ICONS[asDrawn?.state ?? 'queued']} size="s" />
                        {asDrawn ? stateText(asDrawn, agoText(asDrawn.agoMs)) : t.onItsWay}
                      </span>
                    </span>
                  )}
                </noscript>
              </span>
            </li>
          );
        })}
      </ul>
      <noscript>
        {import.meta.env.SSR && (
          <p>
            {stillPage.stands} <a href={path + search}>{stillPage.checkAgain}</a>
          </p>
        )}
      </noscript>
    </section>
  );
}

function headingOf(isLost: boolean, isOver: boolean): string {
  if (isLost) return otpTexts.lost;
  return isOver ? otpTexts.over : otpTexts.sent;
}
