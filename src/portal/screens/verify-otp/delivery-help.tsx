import { delivery as t } from '#locales/en/delivery.ts';
import type { Delivery } from '#domain/delivery.ts';
import { OTP_MEDIUM, type OtpMedium } from '#domain/otp.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './delivery.module.css';

type DeliveryHelpProps = {
  delivery: Delivery;
  medium: OtpMedium;
  isSending: boolean;
  onAsk: (medium: OtpMedium) => unknown;
};

/** A message could not be delivered: why, and which other way there is. */
export function DeliveryHelp({ delivery, medium, isSending, onAsk }: DeliveryHelpProps) {
  const failed = delivery.messages.filter(({ state }) => state === 'failed');
  if (failed.length === 0) return null;
  const { otherWays, canAskNow } = delivery;
  const areAllFailed = failed.length === delivery.messages.length;
  const ways = otherWays.length > 0 ? otherWays : [medium];
  return (
    <Alert tone="warning">
      {failed.map(({ channel, reason }) => {
        const isEmail = channel === 'email';
        return (
          <p key={channel}>
            {isEmail ? t.failedEmail : t.failedPhone}{' '}
            {(isEmail ? t.email : t.phone)[reason ?? 'unavailable']}
          </p>
        );
      })}
      <p>{adviceFor(areAllFailed, otherWays)}</p>
      {canAskNow && (
        <div className={styles.ways}>
          {ways.map((way) => (
            <Button
              key={way}
              variant="secondary"
              wide={false}
              pending={isSending}
              action={`way:${way}`}
              onClick={() => onAsk(way)}
            >
              {labelOf(way)}
            </Button>
          ))}
        </div>
      )}
    </Alert>
  );
}

function adviceFor(areAllFailed: boolean, ways: readonly OtpMedium[]): string {
  if (areAllFailed) return t.checkBoth;
  return ways.includes(OTP_MEDIUM.email) ? t.lookInEmail : t.lookAtPhone;
}

function labelOf(way: OtpMedium): string {
  if (way === OTP_MEDIUM.email) return t.byEmail;
  return way === OTP_MEDIUM.sms ? t.byText : t.again;
}
