import { myAccount } from '#texts/my-account.ts';
import { otp } from '#texts/otp.ts';
import type { MailLink } from '#contract/my-account.ts';
import { fillNodes, maskedPhoneText } from '../ui/contacts.tsx';
import { OtpBoxes } from '../ui/otp-boxes.tsx';
import { NativeForm, Submit } from '../ui/submit.tsx';
import { problemText } from './account.tsx';
import { MessageText } from './message-page.tsx';

/** The code by text that proves an older phone, on the page of a mailed link. */
export function PhoneProof({
  link,
  text,
  isSecond = false,
}: {
  readonly link: MailLink;
  /** What stands there before a code was sent: it names the phone. */
  readonly text: string;
  /** Another way stands above it. */
  readonly isSecond?: boolean;
}) {
  const phone = maskedPhoneText(link.phone ?? '');
  const error = link.problem ? problemText(link.problem) : undefined;
  const second = { variant: 'secondary', wide: true } as const;
  const first = isSecond ? second : {};
  return (
    <NativeForm id="phone">
      <MessageText>
        <p>{fillNodes(link.isCodeSent ? myAccount.codeSentTo : text, { to: phone, phone })}</p>
      </MessageText>
      {link.isCodeSent && (
        <>
          <OtpBoxes name="code" legend={otp.legend} hint={otp.hint} error={error} />
          <Submit name="do" value="check" {...first}>
            {myAccount.goOn}
          </Submit>
        </>
      )}
      {!link.isCodeSent && error && <p role="alert">{error}</p>}
      <Submit name="do" value="send" {...(link.isCodeSent ? second : first)}>
        {link.isCodeSent ? myAccount.newCode : myAccount.sendCode}
      </Submit>
    </NativeForm>
  );
}
