import { otp as t } from '#locales/en/otp.ts';
import { type Delivery, isComing } from '#domain/delivery.ts';
import { pathOf } from '#domain/screens.ts';
import { fill } from '#locales/fill.ts';
import type { PendingOtp } from '#domain/visit.ts';
import { useLink } from '../../flow/link.ts';
import { OfflineNote } from '../../flow/offline-note.tsx';
import { useFlowAt } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { Alert } from '../../ui/alert.tsx';
import { BackLink } from '../../ui/link-row.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ChangeAddress } from './change-address.tsx';
import { OtpForm } from './otp-form.tsx';
import { DeliveryLines } from './delivery-lines.tsx';
import { NoOtpHelp } from './no-otp-help.tsx';
import { useOtpWatch } from './use-otp-watch.ts';
import styles from './delivery.module.css';

/** No line ends within "6-digit". */
const TITLE = t.title.split(/(\S+-\S+)/).map((part) =>
  part.includes('-') ? (
    <span key={part} className={styles.whole}>
      {part}
    </span>
  ) : (
    part
  ),
);

/** Code entry (OTP-01..11). */
function VerifyOtp() {
  const state = useFlowAt('otp');
  const delivery = useOtpWatch(state?.otp ?? null);
  // Without a code the server redirects; this state lasts only until the next screen is shown.
  if (!state) return <PageHeading>{TITLE}</PageHeading>;
  const { otp } = state;
  return (
    <>
      <WayBack otp={otp} />
      <PageHeading lead={t.explain}>{TITLE}</PageHeading>
      <SentNote otp={otp} delivery={delivery} />
      {otp.mode === 'signUp' && <ChangeAddress />}
      <OfflineNote />
      <OtpForm state={state} delivery={delivery} />
      <NoOtpHelp />
    </>
  );
}

/** OTP-06, and how far the messages are. Where all of them failed it does not claim that the code was sent. */
function SentNote({ otp, delivery }: { otp: PendingOtp; delivery: Delivery | null }) {
  const isLost = delivery !== null && !isComing(delivery.messages);
  return (
    <Alert tone={isLost ? 'warning' : 'success'}>
      <p>{isLost ? t.lost : t.sent}</p>
      <p>{isLost ? triedText(otp) : sentText(otp)}</p>
      <DeliveryLines medium={otp.medium} delivery={delivery} />
    </Alert>
  );
}

/** OTP-02: to Sign In in sign-in mode, else to Sign Up. */
function WayBack({ otp }: { otp: PendingOtp }) {
  const isSignIn = otp.mode === 'signIn';
  const link = useLink(isSignIn ? pathOf('signIn', otp.entrance) : pathOf('signUp'));
  return <BackLink {...link}>{isSignIn ? t.backToSignIn : t.backToSignUp}</BackLink>;
}

function sentText({ sentTo: { email, phone } }: PendingOtp): string {
  if (email && phone) return fill(t.sentTo, { email, phone });
  return fill(t.sentToOne, { destination: email ?? phone ?? '' });
}

function triedText({ sentTo: { email, phone } }: PendingOtp): string {
  if (email && phone) return fill(t.tried, { email, phone });
  return fill(t.triedOne, { destination: email ?? phone ?? '' });
}

export const screen: ScreenModule = { title: () => t.title, View: VerifyOtp };
