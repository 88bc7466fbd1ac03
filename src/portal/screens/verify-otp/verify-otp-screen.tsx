import { code as texts } from '#locales/en/otp.ts';
import { isComing } from '#domain/delivery.ts';
import { pathOf } from '#domain/screens.ts';
import { fill } from '#locales/fill.ts';
import type { PendingCode } from '#domain/visit.ts';
import { useLink } from '../../flow/link.ts';
import { OfflineNote } from '../../flow/offline-note.tsx';
import { useFlowAt } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { Alert } from '../../ui/alert.tsx';
import { BackLink } from '../../ui/link-row.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ChangeAddress } from './change-address.tsx';
import { useConfirmedElsewhere } from './confirmed-elsewhere.ts';
import { CodeForm } from './otp-form.tsx';
import { DeliveryLines } from './delivery-lines.tsx';
import { NoCodeHelp } from './no-otp-help.tsx';
import { useDelivery } from './use-delivery.ts';
import type { Delivery } from './watch-delivery.ts';
import styles from './delivery.module.css';

/** No line ends within "6-digit". */
const TITLE = texts.title.split(/(\S+-\S+)/).map((part) =>
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
  const state = useFlowAt('code');
  useConfirmedElsewhere(state?.code ?? null);
  const delivery = useDelivery(state?.code.id ?? '');
  // The server sends nobody here without a code; a stale address is on its way to its real screen.
  if (!state) return <PageHeading>{TITLE}</PageHeading>;
  const { code } = state;
  return (
    <>
      <WayBack code={code} />
      <PageHeading lead={texts.explain}>{TITLE}</PageHeading>
      <SentNote code={code} delivery={delivery} />
      {code.mode === 'signUp' && <ChangeAddress />}
      <OfflineNote />
      <CodeForm state={state} delivery={delivery} />
      <NoCodeHelp />
    </>
  );
}

/** OTP-06, and how far the messages are. Of a code that nobody can get it does not say that it was sent. */
function SentNote({ code, delivery }: { code: PendingCode; delivery: Delivery | null }) {
  const isLost = delivery !== null && !isComing(delivery.messages);
  return (
    <Alert tone={isLost ? 'warning' : 'success'}>
      <p>{isLost ? texts.lost : texts.sent}</p>
      <p>{isLost ? triedText(code) : sentText(code)}</p>
      <DeliveryLines medium={code.medium} delivery={delivery} />
    </Alert>
  );
}

/** OTP-02: to Sign In in sign-in mode, else to Sign Up. */
function WayBack({ code }: { code: PendingCode }) {
  const isSignIn = code.mode === 'signIn';
  const link = useLink(isSignIn ? pathOf('signIn', code.entrance) : pathOf('signUp'));
  return <BackLink {...link}>{isSignIn ? texts.backToSignIn : texts.backToSignUp}</BackLink>;
}

function sentText({ sentTo: { email, phone } }: PendingCode): string {
  if (email && phone) return fill(texts.sentTo, { email, phone });
  return fill(texts.sentToOne, { destination: email ?? phone ?? '' });
}

function triedText({ sentTo: { email, phone } }: PendingCode): string {
  if (email && phone) return fill(texts.tried, { email, phone });
  return fill(texts.triedOne, { destination: email ?? phone ?? '' });
}

export const screen: ScreenModule = { title: () => texts.title, View: VerifyOtp };
