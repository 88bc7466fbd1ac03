import { myAccount } from '#texts/my-account.ts';
import { otp } from '#texts/otp.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/screens.ts';
import type { MailLink } from '#contract/my-account.ts';
import { problemText } from '../../flow/account.tsx';
import { useAppContext } from '../../flow/app-context.ts';
import { HelpLines } from '../../flow/help-lines.tsx';
import { MessagePage, MessageText, PorchPage } from '../../flow/message-page.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { useNativeForm } from '../../lib/form-actions.ts';
import { buttonClass } from '../../ui/button.tsx';
import { OtpBoxes } from '../../ui/otp-boxes.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';

const t = myAccount.recovery;

/** Asks for a proof that is older than an undone change, before a new password. */
function Recovery() {
  const { link } = useAppContext().boot;
  if (link?.state !== 'open') {
    const action = { href: pathOf('signIn'), label: otp.backToSignIn };
    return (
      <MessagePage door="shut" thing="late" title={t.over} action={action}>
        <p>{t.overText}</p>
      </MessagePage>
    );
  }
  return (
    <PorchPage door="ajar">
      <PageHeading lead={t.lead}>{t.title}</PageHeading>
      {link.phone === null ? <CallUs /> : <ByPhone link={link} phone={link.phone} />}
    </PorchPage>
  );
}

function CallUs() {
  return (
    <MessageText>
      <p>{t.noProof}</p>
      <p>
        <HelpLines />
      </p>
    </MessageText>
  );
}

function ByPhone({ link, phone }: { readonly link: MailLink; readonly phone: string }) {
  useNativeForm('recovery');
  const error = link.problem ? problemText(link.problem) : undefined;
  return (
    <form id="recovery" method="post">
      <MessageText>
        <p>{fill(t.byPhone, { phone })}</p>
      </MessageText>
      {link.isCodeSent && (
        <>
          <OtpBoxes name="code" legend={otp.legend} hint={otp.hint} error={error} />
          <button type="submit" name="do" value="check" className={buttonClass()}>
            {myAccount.goOn}
          </button>
        </>
      )}
      {!link.isCodeSent && error && <p role="alert">{error}</p>}
      <button
        type="submit"
        name="do"
        value="send"
        className={link.isCodeSent ? buttonClass('secondary', true) : buttonClass()}
      >
        {link.isCodeSent ? myAccount.newCode : myAccount.sendCode}
      </button>
    </form>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: Recovery };
