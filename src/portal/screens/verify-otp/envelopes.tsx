import { type ReactNode, type Ref, useEffect, useState } from 'react';
import { delivery as t } from '#texts/delivery.ts';
import { otp as otpTexts } from '#texts/otp.ts';
import { stillPage } from '#texts/still-page.ts';
import { widgets } from '#texts/widgets.ts';
import type { Delivery } from '#domain/proofs/delivery.ts';
import { type Channel, mediumChannels, type OtpMedium } from '#domain/proofs/otp.ts';
import type { PendingOtp } from '#domain/flow/visit.ts';
import { fill } from '#locales/fill.ts';
import { useView } from '../../flow/app-context.ts';
import { agoText } from '../../lib/time-words.ts';
import { Button } from '../../ui/button.tsx';
import { Address, Phone } from '../../ui/contacts.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { callText, isLost } from './call-words.ts';
import type { Ear } from './ear.tsx';
import { TimedWords } from './timed-words.tsx';
import { failureText, type Message, stateText, timeText, wasOnItsWay } from './state-text.ts';
import styles from './envelopes.module.css';

const CHANNEL_ICONS: Readonly<Record<Channel, IconName>> = {
  email: 'mail',
  sms: 'smartphone',
  whatsapp: 'smartphone',
};

const STATE_ICONS: Readonly<Record<Message['state'], IconName>> = {
  queued: 'clock',
  sent: 'clock',
  delivered: 'check',
  failed: 'octagon-alert',
};

const IDLE_MS = 1000;

type EnvelopesProps = {
  readonly otp: PendingOtp;
  readonly delivery: Delivery | null;
  /** The server's state, for a browser without JavaScript. */
  readonly known: Delivery | null;
  /** The code expired, or had too many tries: the reason, or `true` before any try. */
  readonly over: string | boolean;
  /** The code's end, on the clock of `performance.now()`. */
  readonly deadline: number;
  readonly isSending: boolean;
  readonly resend: Ref<HTMLButtonElement>;
  readonly onResend: () => unknown;
  readonly onAsk: (medium: OtpMedium) => unknown;
};

/**
 * Shows where the code is right now (OTP-06): an envelope for each message, or the remedy when none is usable. The card
 * always has the height of its news, in each language, so that nothing below moves.
 */
export function Envelopes(props: EnvelopesProps) {
  const { otp, delivery, known, over } = props;
  const { path, search } = useView();
  const ear = useEar();
  const isBad = over !== false || isLost(delivery) || isLost(known);
  return (
    <section
      className={isBad ? `${styles.card} ${styles.lost}` : styles.card}
      aria-labelledby="sent"
      // The browser's state may be newer than the server's rendering.
      suppressHydrationWarning
    >
      <Room {...props} />
      {over === false ? (
        <>
          <h2 id="sent">
            <span className="script-only">{headingOf(otp, delivery)}</span>
            <noscript>{import.meta.env.SSR && headingOf(otp, known, agoText)}</noscript>
          </h2>
          {ear && !isLost(delivery) && delivery?.call?.state !== 'calling' && (
            <ear.Ear key={otp.id} textsNow={() => textsOf(props)} />
          )}
          <div key={isLost(delivery) ? 'lost' : 'news'} className="script-only">
            <News {...props} />
          </div>
          <noscript>
            {import.meta.env.SSR && <News {...props} delivery={known} ago={agoText} />}
          </noscript>
        </>
      ) : (
        <Over {...props} />
      )}
      <noscript>
        {import.meta.env.SSR && (
          <p className={styles.still}>
            {stillPage.stands} <a href={path + search}>{stillPage.checkAgain}</a>
          </p>
        )}
      </noscript>
    </section>
  );
}

/** Keeps the room of the news behind what is shown instead. */
function Room({ otp, delivery, over }: EnvelopesProps) {
  if (over === false && !isLost(delivery) && delivery?.call?.state !== 'calling') return null;
  return (
    <div className={styles.room}>
      <h2>&nbsp;</h2>
      <Sent otp={otp} delivery={null} />
    </div>
  );
}

/** Returns the ear once the page is idle: it is no part of the first load. */
function useEar() {
  const [ear, setEar] = useState<{ readonly Ear: typeof Ear } | null>(null);
  useEffect(() => {
    if (!('speechSynthesis' in window)) return;
    const load = () => void import('./ear.tsx').then(setEar, () => undefined);
    const timer = setTimeout(load, IDLE_MS);
    return () => clearTimeout(timer);
  }, []);
  return ear;
}

/** Returns what the ear reads: where the code is, until when it works, and what to do. It never has the code. */
function textsOf({ delivery, deadline }: EnvelopesProps): readonly string[] {
  const time = timeText(Date.now() + deadline - performance.now());
  const messages = delivery?.messages ?? [];
  return [
    ...messages.map((message) =>
      fill(t.spoken, { channel: t.channels[message.channel], state: stateText(message) }),
    ),
    `${fill(otpTexts.worksUntil, { time })}.`,
    t.typeIt,
  ];
}

/** Returns the heading for the newest code: the specification's sentence, or the remedy. */
function headingOf(otp: PendingOtp, delivery: Delivery | null, ago?: Ago): ReactNode {
  // It describes the boxes, too.
  if (isLost(delivery)) return <span id="otp-err">{otpTexts.lost}</span>;
  const called = callText(delivery?.call, otp, ago?.(delivery?.call?.agoMs ?? 0));
  if (called !== null) return called;
  const failed = delivery?.messages.find(({ state }) => state === 'failed');
  if (!failed) return otpTexts.sent[otp.medium];
  return `${failed.channel === 'email' ? t.usePhone : t.useMail} ${failureText(failed)}`;
}

/** Shows the one remedy of an unusable code in place of the news. */
function Over({ over, isSending, resend, onResend }: EnvelopesProps) {
  return (
    <>
      <h2 id="sent" className={styles.over}>
        <Icon name="clock" />
        {otpTexts.over}
      </h2>
      <p id="otp-err">{over === true ? otpTexts.askAnew : over}</p>
      <Button ref={resend} icon="refresh-cw" pending={isSending} action="resend" onClick={onResend}>
        {widgets.countdown.resend}
      </Button>
    </>
  );
}

type Ago = (ms: number) => ReactNode & string;
type SentProps = Pick<EnvelopesProps, 'otp' | 'delivery'> & { readonly ago?: Ago };

function News(props: EnvelopesProps & SentProps) {
  const { otp, delivery, isSending, resend, onAsk } = props;
  if (delivery?.call?.state === 'calling') return <CallSteps />;
  return (
    <>
      <Sent {...props} />
      {isLost(delivery) && (
        <Button
          ref={resend}
          pending={isSending}
          action={`way:${otp.medium}`}
          onClick={() => onAsk(otp.medium)}
        >
          {widgets.countdown.resend}
        </Button>
      )}
    </>
  );
}

/** Shows an envelope for each message. */
function Sent({ otp, delivery, ago }: SentProps) {
  const { email, phone } = otp.sentTo;
  return (
    <ul className={styles.envelopes} aria-label={t.label}>
      {mediumChannels(otp.medium).map((channel) => {
        const message = delivery?.messages.find((each) => each.channel === channel);
        const state = message?.state ?? 'queued';
        return (
          <li key={channel} className={classOf(message)}>
            <span className={styles.tile}>
              <Icon name={CHANNEL_ICONS[channel]} size="s" />
            </span>
            <b>
              {t.channels[channel]}
              <span className="visually-hidden">:</span>
            </b>{' '}
            <span className={styles.where}>
              {channel === 'email' && email && <Address email={email} />}
              {channel !== 'email' && phone && <Phone number={phone} />}
            </span>{' '}
            <span className={styles.state}>
              <Icon name={STATE_ICONS[state]} size="s" />
              <TimedWords text={message ? stateText(message, ago?.(message.agoMs)) : t.onItsWay} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Shows what to do during a call; the first step is lit. */
function CallSteps() {
  return (
    <ol className={styles.steps}>
      <li>
        <span>
          <Icon name="phone" />
        </span>
        {t.callSteps.answer}
      </li>
      <li>
        <span>
          <Icon name="pencil" />
        </span>
        {t.callSteps.write}
      </li>
      <li>
        <span aria-hidden="true">123</span>
        {t.callSteps.type}
      </li>
    </ol>
  );
}

function classOf(message: Message | undefined): string | undefined {
  if (message?.state === 'delivered') return styles.arrived;
  if (message?.state !== 'failed') return undefined;
  return wasOnItsWay(message) ? `${styles.failed} ${styles.back}` : styles.failed;
}
