import { delivery as t } from '#locales/en/delivery.ts';
import { otp as otpTexts } from '#locales/en/otp.ts';
import { fill } from '#locales/fill.ts';
import { type Delivery, isComing } from '#domain/delivery.ts';
import { type Channel, channelsOf } from '#domain/otp.ts';
import type { PendingOtp } from '#domain/visit.ts';
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
  /** The code's time is over, or it was tried too often. */
  readonly isOver: boolean;
};

/**
 * OTP-06, and a line for each message: where it goes and how far it is. The lines are there from the first byte on, so news
 * changes words and no heights. Where every message failed the card does not claim that the code was sent.
 */
export function Envelopes({ otp, delivery, isOver }: EnvelopesProps) {
  const { email, phone } = otp.sentTo;
  const isLost = delivery !== null && !isComing(delivery.messages);
  return (
    <section
      className={`${styles.card} ${isLost || isOver ? styles.lost : ''}`}
      aria-labelledby="sent"
    >
      <h2 id="sent">{isLost ? otpTexts.lost : isOver ? otpTexts.over : otpTexts.sent}</h2>
      <ul aria-label={t.label}>
        {channelsOf(otp.medium).map((channel) => {
          const message = delivery?.messages.find((each) => each.channel === channel);
          const state = message?.state ?? 'queued';
          return (
            <li key={channel} className={styles[state]}>
              <span className={styles.tile}>
                <Icon name={CHANNEL_ICONS[channel]} size="s" />
              </span>
              <span className={styles.line}>
                <span className={styles.where}>
                  <span className="visually-hidden">{t.channels[channel]}: </span>
                  {channel === 'email'
                    ? email
                    : phone && fill(t.phoneEnding, { digits: phone.slice(-2) })}
                </span>{' '}
                <span className={styles.state}>
                  <Icon name={STATE_ICONS[state]} size="s" />
                  {message ? stateText(message) : t.onItsWay}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
